package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

const add = `INSERT INTO users (email, password)
	VALUES ($1, $2) RETURNING id`

type user struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

func isText(text string) bool {
	return text != "" && len(text) < 256 && !strings.Contains(text, "\x00")
}

func addUser(pool *pgxpool.Pool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var u user
		body := http.MaxBytesReader(w, r.Body, 1000)
		err := json.NewDecoder(body).Decode(&u)
		if err != nil || !isText(u.Email) || !isText(u.Password) {
			http.Error(w, "a user has an email and a password", 400)
			return
		}
		var id int
		row := pool.QueryRow(r.Context(), add, u.Email, u.Password)
		if err := row.Scan(&id); err != nil {
			log.Print(err)
			http.Error(w, "Internal Server Error", 500)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Location", fmt.Sprintf("/user/%d", id))
		w.WriteHeader(201)
		fmt.Fprintf(w, `{"id":%d}`, id)
	}
}
