// What the book's programs take for granted where they don't speak of types: an
// error of the system has a code, and a server that listens on a port an
// address with a port.
import "node:net";

declare global {
  interface Error {
    code?: string;
  }
}

declare module "node:net" {
  interface Server {
    address(): AddressInfo;
  }
}
