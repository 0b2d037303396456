"""Run the command line with `python -m webward`."""

from webward.surfaces.cli import main

if __name__ == "__main__":
    main()
