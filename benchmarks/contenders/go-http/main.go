// The same endpoint on Go's standard library alone.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
)

type found struct {
	Name string  `json:"name"`
	ID   *string `json:"id"`
}

type order struct {
	Name string   `json:"name"`
	ID   *string  `json:"id"`
	Tags []string `json:"tags"`
}

type made struct {
	Name string  `json:"name"`
	ID   *string `json:"id"`
	Tags int     `json:"tags"`
}

var (
	isClosing = os.Getenv("CLOSING") != ""
	large     = []byte(strings.Repeat(strings.Repeat("wire ", 12)+"end\n", 1024))
)

// net/http says by itself that a connection closes, and not that it stays:
// what the others say is said here, so that all answers have the same.
func send(w http.ResponseWriter, contentType string, body []byte) {
	header := w.Header()
	header.Set("X-Powered-By", "benchmark")
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if !isClosing {
		header.Set("Connection", "keep-alive")
		header.Set("Keep-Alive", "timeout=5")
	}
	w.Write(body)
}

func sendJSON(w http.ResponseWriter, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	send(w, "application/json", body)
}

func show(w http.ResponseWriter, r *http.Request) {
	answer := found{Name: r.PathValue("name")}
	if query := r.URL.Query(); query.Has("id") {
		id := query.Get("id")
		answer.ID = &id
	}
	sendJSON(w, answer)
}

func create(w http.ResponseWriter, r *http.Request) {
	var body order
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	sendJSON(w, made{Name: body.Name, ID: body.ID, Tags: len(body.Tags)})
}

func main() {
	if workers, err := strconv.Atoi(os.Getenv("WORKERS")); err == nil {
		runtime.GOMAXPROCS(workers)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /bench/{name}", show)
	mux.HandleFunc("POST /bench", create)
	mux.HandleFunc("GET /large", func(w http.ResponseWriter, _ *http.Request) {
		send(w, "text/plain", large)
	})
	if folder := os.Getenv("FILES"); folder != "" {
		mux.Handle("GET /files/", http.StripPrefix("/files/", http.FileServer(http.Dir(folder))))
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp4", ":"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://localhost:%d\n", listener.Addr().(*net.TCPAddr).Port)
	if key := os.Getenv("TLS_KEY"); key != "" {
		log.Fatal(http.ServeTLS(listener, mux, os.Getenv("TLS_CERT"), key))
	}
	log.Fatal(http.Serve(listener, mux))
}
