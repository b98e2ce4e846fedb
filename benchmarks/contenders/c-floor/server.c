// What reading and writing cost: an epoll loop on one thread that counts the
// ends of heads and writes the same answer for each. It looks at nothing
// else, and is no server to use. WORK names the suite whose answer it writes;
// with CLOSING it closes after each; with FILES each answer is read anew from
// page.txt in that folder.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_EVENTS = 512, READ_BYTES = 65536, HEAD_BYTES = 512, LINES = 1024 };
enum { FILE_BYTES = 1 << 20 };

static const char LINE[] =
    "wire wire wire wire wire wire wire wire wire wire wire wire end\n";
static const char *body = "{\"name\":\"testing\",\"id\":\"10\"}";
static const char *type = "application/json";
static size_t body_length;
static bool is_closing;

// As many answers in a row as are written at a time.
static int most_answers = 64;
static char *answers;
static size_t answer_length;

// Where each answer is read from, if it is.
static const char *file;

// How many bytes of CR LF CR LF each connection has seen last.
static unsigned char *matched;
static int most_descriptors = 1 << 16;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void choose_body(void) {
  const char *work = getenv("WORK");
  if (work != NULL && strcmp(work, "json-body") == 0)
    body = "{\"name\":\"testing\",\"id\":\"10\",\"tags\":2}";
  body_length = strlen(body);
  if (work != NULL && strcmp(work, "answer-64k") == 0) {
    size_t line_length = sizeof LINE - 1;
    char *text = malloc(LINES * line_length);
    if (text == NULL) fail("start");
    for (int i = 0; i < LINES; i++)
      memcpy(text + (size_t)i * line_length, LINE, line_length);
    body = text;
    body_length = LINES * line_length;
    type = "text/plain";
    most_answers = 1;
  }
  const char *folder = getenv("FILES");
  if (folder != NULL) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/page.txt", folder);
    file = path;
    body = "";
    body_length = FILE_BYTES;
    type = "text/plain";
    most_answers = 1;
  }
  is_closing = getenv("CLOSING") != NULL;
  answers = malloc((size_t)most_answers * (HEAD_BYTES + body_length));
  if (answers == NULL) fail("start");
}

// The head goes right before HEAD_BYTES, and the file is read behind it.
static char *answer_start;

static void make_answers(void) {
  char date[64];
  time_t now = time(NULL);
  strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", gmtime(&now));
  size_t head_length = (size_t)snprintf(
      answers, HEAD_BYTES,
      "HTTP/1.1 200 OK\r\nx-powered-by: benchmark\r\n"
      "content-type: %s\r\ncontent-length: %zu\r\nDate: %s\r\n%s\r\n",
      type, body_length, date,
      is_closing ? "Connection: close\r\n"
                 : "Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n");
  answer_length = head_length + body_length;
  if (file != NULL) {
    char *start = answers + HEAD_BYTES - head_length;
    memmove(start, answers, head_length);
    answer_start = start;
    return;
  }
  answer_start = answers;
  memcpy(answers + head_length, body, body_length);
  for (int i = 1; i < most_answers; i++)
    memcpy(answers + (size_t)i * answer_length, answers, answer_length);
}

static bool read_file(void) {
  int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  ssize_t length = read(descriptor, answers + HEAD_BYTES, FILE_BYTES);
  close(descriptor);
  if (length < 0) return false;
  if ((size_t)length == body_length) return true;
  body_length = (size_t)length;
  make_answers();
  return true;
}

static int listen_on(int port) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (listener < 0) fail("socket");
  int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((unsigned short)port),
                                .sin_addr.s_addr = htonl(INADDR_ANY)};
  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0)
    fail("bind");
  if (listen(listener, 511) < 0) fail("listen");
  socklen_t length = sizeof address;
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("listening on http://localhost:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return listener;
}

static void accept_all(int poll, int listener) {
  for (;;) {
    int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    if (client < 0) return;
    if (client >= most_descriptors) {
      close(client);
      continue;
    }
    int yes = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    matched[client] = 0;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = client};
    epoll_ctl(poll, EPOLL_CTL_ADD, client, &event);
  }
}

static void serve(int client, char *bytes) {
  ssize_t length = read(client, bytes, READ_BYTES);
  if (length < 0 && errno == EAGAIN) return;
  if (length <= 0) {
    close(client);
    return;
  }
  static const char END[] = "\r\n\r\n";
  unsigned char seen = matched[client];
  int requests = 0;
  for (ssize_t i = 0; i < length; i++) {
    if (bytes[i] == END[seen]) seen++;
    else seen = bytes[i] == '\r';
    if (seen < 4) continue;
    seen = 0;
    requests++;
  }
  matched[client] = seen;
  while (requests > 0) {
    if (file != NULL && !read_file()) {
      close(client);
      return;
    }
    int count = requests < most_answers ? requests : most_answers;
    size_t total = (size_t)count * answer_length;
    // Who doesn't read is not waited for.
    if (write(client, answer_start, total) != (ssize_t)total || is_closing) {
      close(client);
      return;
    }
    requests -= count;
  }
}

int main(void) {
  const char *port = getenv("PORT");
  int listener = listen_on(port == NULL ? 3000 : atoi(port));
  matched = calloc((size_t)most_descriptors, 1);
  char *bytes = malloc(READ_BYTES);
  int poll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  if (matched == NULL || bytes == NULL || poll < 0) fail("start");
  choose_body();
  make_answers();
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  struct epoll_event events[MOST_EVENTS];
  for (time_t made = time(NULL);;) {
    int count = epoll_wait(poll, events, MOST_EVENTS, -1);
    time_t now = time(NULL);
    if (now != made) {
      make_answers();
      made = now;
    }
    for (int i = 0; i < count; i++) {
      if (events[i].data.fd == listener) accept_all(poll, listener);
      else serve(events[i].data.fd, bytes);
    }
  }
}
