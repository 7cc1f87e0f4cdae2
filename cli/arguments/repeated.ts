/** The refusal of options that are given twice (B78). */
import type { Command } from 'commander';

/** The parsers of options that may be repeated, because each value is added to the former ones. */
const COLLECTING = new WeakSet();

/** Marks a parser that adds to the former value. Returns it. */
export function collects<F extends object>(parse: F): F {
  COLLECTING.add(parse);
  return parse;
}

/** Makes a command refuse an option that is given twice (B78), except those that collect several words. */
export function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    if (option.variadic || (option.parseArg && COLLECTING.has(option.parseArg))) continue;
    let given = 0;
    command.on(`option:${option.name()}`, () => {
      given += 1;
      if (given > 1) command.error(`error: option '${option.flags}' is given twice`);
    });
  }
}
