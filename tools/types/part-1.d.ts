// What Part I's code takes for granted, before the book speaks of types: an
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
