/** Collects the errors that nothing in this process catches. Returns the function that ends this, with the errors. */
export function watchFaults(): { end(): readonly string[] } {
  const faults: string[] = [];
  const note = (error: unknown) =>
    void faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  return {
    end() {
      process.off('unhandledRejection', note);
      process.off('uncaughtException', note);
      return faults;
    },
  };
}
