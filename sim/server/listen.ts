import type { Server } from 'node:http';

/** What the system says of an address that is not this machine's, or of a name that is nobody's. */
const ADDRESS_CODES = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/** What the system says where the process, or the machine, may open no more files. */
const FILE_CODES = ['EMFILE', 'ENFILE'];

/** A server cannot listen where it was told to. `code` is the system's: EADDRINUSE, EACCES. */
export class ListenError extends Error {
  readonly code: string | undefined;
  readonly port: number;
  /** What another choice would help with. */
  readonly fault: 'address' | 'port' | 'files';

  constructor(port: number, host: string, cause: NodeJS.ErrnoException) {
    const code = cause.code ?? '';
    const fault = ADDRESS_CODES.includes(code) ? 'address' : FILE_CODES.includes(code) ? 'files' : 'port';
    const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${code})`;
    const messages = {
      address: `Nothing can listen at ${host} (${code}).`,
      files: `Nothing can listen at ${host}: the process has as many files open as it may (${code}).`,
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
 * Listens; resolves with the port, which the system chooses for port 0.
 *
 * @throws ListenError when the port is taken or may not be used.
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
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
