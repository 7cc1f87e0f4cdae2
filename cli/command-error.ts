/** A failure that is printed as one line, without a stack, and ends the command with an exit code. */
export class CommandError extends Error {
  readonly exitCode: number;

  /** @param message - the failure, and what the user can do about it. */
  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}
