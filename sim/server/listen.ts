import type { Server } from 'node:http';

/** What the system says of an address that is not this machine's, or of a name that is nobody's. */
const ADDRESS_CODES = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/** A server cannot listen where it was told to. `code` is the system's: EADDRINUSE, EACCES. */
export class ListenError extends Error {
  readonly code: string | undefined;
  readonly port: number;
  /** What another choice would help with. */
  readonly fault: 'address' | 'port';

  constructor(port: number, host: string, cause: NodeJS.ErrnoException) {
    const fault = ADDRESS_CODES.includes(cause.code ?? '') ? 'address' : 'port';
    const why = cause.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${cause.code})`;
    super(fault === 'port' ? `Port ${port} of ${host} ${why}.` : `Nothing can listen at ${host} (${cause.code}).`, {
      cause,
    });
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
    const failed = (error: NodeJS.ErrnoException) => reject(new ListenError(port, host, error));
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Stops listening and drops every connection. */
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
