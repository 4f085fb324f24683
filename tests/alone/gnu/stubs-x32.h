/* glibc has a file of this name for x32: which functions are not there. Nobody asks. */
