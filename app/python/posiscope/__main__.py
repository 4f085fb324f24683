"""posiscope as a command: `python -m posiscope` and the console script run the package's program."""
import os
import sys

from ._program import Error, program


def main() -> None:
    try:
        os.execv(program(), ["posiscope", *sys.argv[1:]])
    except Error as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
