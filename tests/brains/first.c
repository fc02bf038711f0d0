/* A Gomocup brain for Windows that plays the first empty point. It does what programs there do:
 * another thread, a file in the folder for temporary ones, the date. */
#include <stdio.h>
#include <string.h>
#include <windows.h>

static char taken[20][20];
static int size = 15;

static DWORD WINAPI find(void *found)
{
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x++) {
            if (!taken[y][x]) {
                ((int *)found)[0] = x;
                ((int *)found)[1] = y;
                return 0;
            }
        }
    }
    return 1;
}

static void play(void)
{
    int found[2];
    HANDLE thread = CreateThread(NULL, 0, find, found, 0, NULL);
    if (thread == NULL || WaitForSingleObject(thread, INFINITE) != WAIT_OBJECT_0) {
        ExitProcess(4);
    }
    CloseHandle(thread);
    taken[found[1]][found[0]] = 1;
    printf("%d,%d\r\n", found[0], found[1]);
    fflush(stdout);
}

static int keeps_notes(void)
{
    char path[MAX_PATH + 16], word[8] = "";
    DWORD length = GetTempPathA(MAX_PATH, path);
    if (length == 0 || length > MAX_PATH) {
        return 0;
    }
    strcat(path, "notes");
    FILE *file = fopen(path, "w+");
    int is_kept = file != NULL && fputs("notes", file) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
                  fgets(word, sizeof word, file) != NULL && strcmp(word, "notes") == 0;
    return is_kept && fclose(file) == 0;
}

int main(void)
{
    char line[256];
    int x, y, who;
    SYSTEMTIME now;
    GetSystemTime(&now);
    if (now.wYear < 2020 || !keeps_notes()) {
        return 5;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "START %d", &size) == 1 || strncmp(line, "RESTART", 7) == 0) {
            memset(taken, 0, sizeof taken);
            printf("OK\r\n");
            fflush(stdout);
        } else if (strncmp(line, "BEGIN", 5) == 0) {
            play();
        } else if (sscanf(line, "TURN %d,%d", &x, &y) == 2) {
            taken[y][x] = 1;
            play();
        } else if (strncmp(line, "BOARD", 5) == 0) {
            while (fgets(line, sizeof line, stdin) != NULL && strncmp(line, "DONE", 4) != 0) {
                if (sscanf(line, "%d,%d,%d", &x, &y, &who) == 3) {
                    taken[y][x] = 1;
                }
            }
            play();
        } else if (strncmp(line, "END", 3) == 0) {
            return 0;
        }
    }
    return 0;
}
