"""`python -m omoide` is the `omoide` command."""

from .runtime.cli import main

if __name__ == "__main__":
    main()
