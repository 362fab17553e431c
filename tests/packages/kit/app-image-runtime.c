/*
 * In place of the runtime at the beginning of an AppImage, which mounts the file system behind it: unpacks it instead, and
 * removes it when the program has ended.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
  static char self[4096], folder[] = "/tmp/parlor-app-image-XXXXXX", offset[32], start[64];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  FILE *file = length < 0 ? NULL : fopen(self, "r");
  Elf64_Ehdr header;
  if (count < 1 || file == NULL || fread(&header, sizeof header, 1, file) != 1 || mkdtemp(folder) == NULL) return 127;
  fclose(file);
  snprintf(offset, sizeof offset, "%lu", header.e_shoff + (unsigned long)header.e_shentsize * header.e_shnum);
  if (fork() == 0) {
    execlp("unsquashfs", "unsquashfs", "-quiet", "-no-progress", "-force", "-offset", offset, "-dest", folder, self, NULL);
    _exit(127);
  }
  int status;
  if (wait(&status) < 0 || status != 0) return 127;
  pid_t program = getpid();
  if (fork() == 0) {
    for (int stream = 0; stream < 3; stream += 1) close(stream);
    setsid();
    while (getppid() == program) usleep(100000);
    execlp("rm", "rm", "-rf", folder, NULL);
    _exit(127);
  }
  setenv("APPIMAGE", self, 1);
  setenv("APPDIR", folder, 1);
  snprintf(start, sizeof start, "%s/AppRun", folder);
  arguments[0] = start;
  execv(start, arguments);
  return 127;
}
