/*
 * Stands where pkexec does, with the dialog that asks for a password before a command runs as root: writes down that the
 * user was asked, and takes the answer from a file. Ends with 126 where the user closes the dialog, as pkexec does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments)
{
  FILE *asked = fopen(FOLDER "/asked", "a");
  if (asked == NULL) return 127;
  fputs("asked\n", asked);
  fclose(asked);
  FILE *file = fopen(FOLDER "/answer", "r");
  int answer = file == NULL ? EOF : fgetc(file);
  if (answer != 'y') return 126;
  int first = 1;
  while (first < count && strncmp(arguments[first], "--", 2) == 0) first += 1;
  if (first >= count || setgid(0) != 0 || setuid(0) != 0) return 127;
  clearenv();
  setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
  setenv("HOME", "/root", 1);
  execvp(arguments[first], arguments + first);
  return 127;
}
