import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

/** The system's codes for an address that is not this machine's, or a name that does not resolve. */
const ADDRESS_CODES = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/** The system's codes when the process, or the machine, may open no more files. */
const FILE_CODES = ['EMFILE', 'ENFILE'];

/** The error of a server that cannot listen at its address. `code` is the system's: EADDRINUSE, EACCES. */
export class ListenError extends Error {
  readonly code: string | undefined;
  readonly port: number;
  /** The option to change: the address, the port, or the limit of open files. */
  readonly fault: 'address' | 'port' | 'files';

  constructor(port: number, host: string, cause: NodeJS.ErrnoException) {
    const code = cause.code ?? '';
    const fault = ADDRESS_CODES.includes(code) ? 'address' : FILE_CODES.includes(code) ? 'files' : 'port';
    const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${code})`;
    const messages = {
      address: `The server cannot listen at ${host} (${code}).`,
      files: `The server cannot listen at ${host}: the process has reached its limit of open files (${code}).`,
      port: `Port ${port} of ${host} ${why}.`,
    };
    super(messages[fault], { cause });
    this.name = 'ListenError';
    this.code = cause.code;
    this.port = port;
    this.fault = fault;
  }
}

/**
 * Starts to listen. Resolves with the port, which the system chooses for port 0.
 * @throws ListenError when the port is taken or must not be used.
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.off('listening', listening);
      reject(new ListenError(port, host, error));
    };
    const listening = () => {
      server.off('error', failed);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    };
    server.once('error', failed);
    server.once('listening', listening);
    server.listen(port, host);
  });
}

/** Stops listening and drops every connection. */
export function stopListening(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
