/** A failure that is told in one line, without a stack, and ends the command with its exit code. */
export class CommandError extends Error {
  readonly exitCode: number;

  /** @param message what happened and what to do about it */
  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}
