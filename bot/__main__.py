"""`python -m bot` is the command `oom-medic`."""

from bot.cli import main

if __name__ == "__main__":
    main()
