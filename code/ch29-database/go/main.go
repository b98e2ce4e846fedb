package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

func main() {
	config, err := pgxpool.ParseConfig(os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		log.Fatal(err)
	}
	idle, err := time.ParseDuration("0" + os.Getenv("IDLE_MS") + "ms")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /user", addUser(pool))
	address := ":" + cmp.Or(os.Getenv("PORT"), "3000")
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	fmt.Printf("listening on http://localhost:%d\n", port)
	server := &http.Server{Handler: mux, IdleTimeout: idle}
	log.Fatal(server.Serve(listener))
}
