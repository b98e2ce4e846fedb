import { lacks } from "../../../tools/lib/programs.js";

/** Why a server of chapter 29 can't run here, or false. */
export const NO_POSTGRES = lacks("psql", "initdb");
export const NO_GO = lacks("psql", "initdb", "go");
/** Why a process can't be looked at here, or false. */
export const NO_PROC =
  process.platform !== "linux" && "the monitor reads Linux's /proc";
