/**
 * The reader of scenario files: YAML to a scenario, or to faults with line and column. It reads other files through
 * `open`.
 */
import { actorIn } from './paths.ts';
import { type DoStep, inCase, variesByCase } from './case-acts.ts';
import { holds } from './values.ts';
import { checkBounds, type ReadStep, unknownNames, usedAt } from './check-steps.ts';
import { checkWords } from './check-words.ts';
import { affectsMessages, MEDIA_SERVER } from '../../faults/vocabulary.ts';
import { hasEvidence } from '../trace/evidence.ts';
import { didYouMean, knownInstead } from '../../format/near-word.ts';
import { InvalidFile, Source, type Path, type Written } from '../../format/source.ts';
import {
  fragmentHead,
  MOST_NODES,
  nodeNames,
  REQUIREMENT,
  scenarioHead,
  STEPS,
  VERBS,
  type Scenario,
  type Step,
  type Verb,
} from './tree.ts';

/** Returns the text of another file, by its path as written in `use`, or why it is refused. Undefined if it does not exist. */
export type OpenFragment = (
  path: string,
) => { readonly file: string; readonly text: string } | { readonly refused: string } | undefined;

const DEEPEST = 8;

/**
 * Reads a scenario.
 * @param file - its name, for messages.
 * @param open - finds the fragments it uses.
 * @throws InvalidFile with every fault found.
 */
export function readScenario(file: string, text: string, open: OpenFragment = () => undefined): Scenario {
  return scenarioOf(new Source(file, text), open);
}

/**
 * Reads a scenario from any kind of source. The faults of the head and of the steps are reported together.
 * @throws InvalidFile with every fault found.
 */
export function scenarioOf(source: Written, open: OpenFragment): Scenario {
  if (source.faults.length > 0) throw new InvalidFile(source.faults);
  const head = source.check(scenarioHead, source.value, []);
  if (!isMap(source.value)) throw new InvalidFile(source.faults);
  const written = source.value;
  const names = checkActors(source, written['actors']);
  const users = usersIn(written['actors']);
  const cases = casesIn(written['cases']);
  checkCases(source, cases ?? []);
  const read = stepsOf(source, Array.isArray(written['steps']) ? written['steps'] : [], {
    open,
    names,
    users,
    nodes: nodeNames({ nodes: head ? head.nodes : MOST_NODES }),
    cases: cases ?? [],
    within: [source.file],
  });
  checkClaims(source, written);
  source.faults.push(...unknownNames(cases && [...new Set(cases.flatMap((one) => Object.keys(one)))], read));
  if (!head || source.faults.length > 0) throw new InvalidFile(source.faults);
  return { ...head, file: source.file, steps: read.flatMap(({ step }) => step ?? []) };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the user ids of the actors, as far as they can be read. */
const usersIn = (actors: unknown): string[] =>
  Object.values(isMap(actors) ? actors : {}).flatMap((one) => {
    const user = isMap(one) ? one['user'] : undefined;
    return typeof user === 'string' ? [user] : [];
  });

/** Reports claims that no trace can show, in the head and in the cases. */
function checkClaims(source: Written, { spec, cases }: Readonly<Record<string, unknown>>): void {
  const check = (claims: unknown, path: Path) => {
    if (!Array.isArray(claims)) return;
    for (const [at, id] of claims.entries())
      if (typeof id === 'string' && REQUIREMENT.test(id) && !hasEvidence(id))
        source.fault(
          [...path, at],
          `no trace can show ${id}: it is no requirement of the library. Other ids go into tags`,
        );
  };
  check(spec, ['spec']);
  if (!Array.isArray(cases)) return;
  for (const [at, one] of cases.entries()) if (isMap(one)) check(one['spec'], ['cases', at, 'spec']);
}

/** Returns the cases. Undefined if they cannot be read: the check of the head reports that. */
function casesIn(cases: unknown): readonly Readonly<Record<string, unknown>>[] | undefined {
  if (cases === undefined) return [];
  return Array.isArray(cases) && cases.every(isMap) ? cases : undefined;
}

/** Reports a name that two cases have: reports and `--case` could not tell them apart. */
function checkCases(source: Written, cases: readonly Readonly<Record<string, unknown>>[]): void {
  for (const [at, { name }] of cases.entries()) {
    const first = cases.findIndex((other) => other['name'] === name);
    if (typeof name === 'string' && first < at)
      source.fault(['cases', at, 'name'], `case ${first + 1} has the name ${name} too: a name is for one case`);
  }
}

/**
 * Checks the names of actors and devices. Returns them, as far as they can be read. Undefined without a map of actors:
 * then no step can be checked for its actors.
 */
function checkActors(source: Written, actors: unknown): readonly string[] | undefined {
  if (!isMap(actors)) return undefined;
  const owners = new Map<unknown, string>();
  return Object.entries(actors).flatMap(([name, value]) => {
    const path: Path = ['actors', name];
    if (name === 'server') source.fault(path, 'server is the name of the exchange: an actor needs another name');
    if (name === MEDIA_SERVER)
      source.fault(path, `${name} is the name of the media server of rooms: an actor needs another name`);
    const user = isMap(value) ? value['user'] : undefined;
    const owner = owners.get(user);
    if (typeof user === 'string' && owner !== undefined)
      source.fault(
        [...path, 'user'],
        `${owner} is the user ${user} too: two devices of a user are devices: [phone, laptop]`,
      );
    else owners.set(user, name);
    const written: unknown = isMap(value) ? value['devices'] : undefined;
    const devices = Array.isArray(written) ? written.filter((device) => typeof device === 'string') : [];
    const twice = devices.find((device, at) => devices.indexOf(device) !== at);
    if (twice !== undefined) source.fault([...path, 'devices'], `${name} has two devices ${twice}`);
    return deviceNames({ [name]: { devices } });
  });
}

/** Returns the names of the actors, and of their devices: bob, bob.phone. */
export function deviceNames(
  actors: Readonly<Record<string, { readonly devices?: readonly string[] | undefined }>>,
): string[] {
  return Object.entries(actors).flatMap(([name, { devices }]) => [
    name,
    ...(devices ?? []).map((device) => `${name}.${device}`),
  ]);
}

interface Surroundings {
  readonly open: OpenFragment;
  /** The actors and their devices. Undefined if they cannot be read. */
  readonly names: readonly string[] | undefined;
  /** The user ids of the actors. */
  readonly users: readonly string[];
  readonly nodes: readonly string[];
  readonly cases: readonly Readonly<Record<string, unknown>>[];
  /** The files being read, the outermost first: a fragment cannot use itself. */
  readonly within: readonly string[];
}

function stepsOf(source: Written, steps: readonly unknown[], around: Surroundings): ReadStep[] {
  return steps.flatMap((value, at) => {
    const path: Path = ['steps', at];
    const place = source.placeOf(path);
    const written = isMap(value) ? value : {};
    const verb = verbOf(source, value, path);
    if (!verb) return [{ place, written }];
    if (verb === 'use') {
      const used = source.check(STEPS.use, value, path);
      return used ? fragmentOf(source, used.use, path, around) : [{ place }];
    }
    const parsed = source.check(STEPS[verb], value, path);
    const ofVerb = source.placeOf([...path, verb]);
    if (!parsed) return [{ place: ofVerb, written }];
    const step = { verb, ...parsed, place: ofVerb } as Step;
    if (around.names) checkNamesAndWords(source, step, path, { ...around, names: around.names });
    if (step.verb === 'fault') checkNodes(source, step, path, around.nodes);
    checkBounds(source, step, path);
    if (step.verb === 'fault') checkStrikes(source, step, path);
    return [{ place: ofVerb, written, step }];
  });
}

interface NamesAndCases extends Pick<Surroundings, 'cases' | 'users'> {
  readonly names: readonly string[];
}

function checkNamesAndWords(source: Written, step: Step, path: Path, around: NamesAndCases): void {
  if (step.verb === 'do' && variesByCase(step)) return checkInEachCase(source, step, path, around);
  checkNames(source, step, path, around.names);
  if (step.verb === 'do') checkCallee(source, step, path, around.users);
  return checkWords(source, step, path, around.names);
}

/**
 * Reports a callee that is nearly the user of an actor. A callee who is no user at all is permitted: the exchange
 * refuses that dial.
 */
function checkCallee(source: Written, step: DoStep, path: Path, users: readonly string[]): void {
  const callee = step.do.endsWith('.dial') ? step.with?.['callee'] : undefined;
  if (typeof callee !== 'string' || callee.startsWith('$') || users.includes(callee) || step.fails !== undefined)
    return;
  const meant = didYouMean(callee, users);
  if (meant !== '') source.fault([...path, 'with', 'callee'], `no actor is the user ${callee}${meant}`);
}

/** Checks an action that depends on the case in each case that takes the step. */
function checkInEachCase(source: Written, step: DoStep, path: Path, { cases, names, users }: NamesAndCases): void {
  const before = source.faults.length;
  for (const [at, values] of cases.entries()) {
    if (step.when !== undefined && !holds(step.when, { case: values })) continue;
    const told = inCase(step, values);
    checkNames(source, told, path, names);
    checkWords(source, told, path, names);
    checkCallee(source, told, path, users);
    // One case is enough to show the fault, and a table of many would repeat it.
    const found = source.faults.splice(before)[0];
    if (!found) continue;
    source.faults.push({ ...found, message: `${found.message}, in case ${at + 1}: ${told.do}` });
    return;
  }
}

function verbOf(source: Written, value: unknown, path: Path): Verb | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    source.fault(path, `a step is a map with one of ${VERBS.join(', ')}; found ${JSON.stringify(value)}`);
    return undefined;
  }
  const keys = Object.keys(value);
  const verbs = VERBS.filter((verb) => keys.includes(verb));
  const [verb] = verbs;
  if (verb !== undefined && verbs.length === 1) return verb;
  const found = verbs.length > 1 ? verbs.join(' and ') : (keys[0] ?? 'nothing');
  const meant = verbs.length > 1 ? '' : didYouMean(found, VERBS);
  source.fault(
    [...path, ...(keys[0] === undefined ? [] : [keys[0]])],
    `a step needs exactly one of ${VERBS.join(', ')}; found ${found}${meant}`,
  );
  return undefined;
}

/** Reports actors that a step names and that do not exist. */
function checkNames(source: Written, step: Step, path: Path, names: readonly string[]): void {
  const check = (name: string | undefined, ...keys: string[]) => {
    if (name === undefined || name.startsWith('$') || names.includes(name)) return;
    source.fault([...path, ...keys], `there is no actor ${name}${knownInstead(name, names)}`);
  };
  const checkPaths = (wanted: Readonly<Record<string, unknown>>, ...keys: string[]) => {
    for (const path_ of Object.keys(wanted))
      if (!path_.startsWith('server.')) check(actorIn(path_, names), ...keys, path_);
  };
  switch (step.verb) {
    case 'do':
      return check(actorIn(step.do, names), 'do');
    case 'expect':
      return checkPaths(step.expect, 'expect');
    case 'see':
      check(step.see.from, 'see', 'from');
      return check(step.see.to, 'see', 'to');
    case 'never':
      if ('expect' in step.never) return checkPaths(step.never.expect, 'never', 'expect');
      check(step.never.from, 'never', 'from');
      return check(step.never.to, 'never', 'to');
    case 'fault': {
      const { fault } = step;
      if (fault.kind === 'bus') return undefined;
      const checkEnd = (name: string | undefined, key: string) =>
        name === MEDIA_SERVER ? undefined : check(name, 'fault', key);
      if (fault.kind === 'media') checkEnd(fault.actor, 'actor');
      else if ('actor' in fault) check(fault.actor, 'fault', 'actor');
      if ('from' in fault) check(fault.from, 'fault', 'from');
      if ('to' in fault) check(fault.to, 'fault', 'to');
      if ('between' in fault) for (const name of fault.between) checkEnd(name, 'between');
      return undefined;
    }
    default:
      return undefined;
  }
}

/** Reports faults of nodes in a scenario without them, and nodes that do not exist. */
function checkNodes(
  source: Written,
  { fault }: Extract<Step, { verb: 'fault' }>,
  path: Path,
  nodes: readonly string[],
): void {
  if (fault.kind !== 'node' && fault.kind !== 'state' && fault.kind !== 'bus') return;
  if (nodes.length === 1) {
    source.fault(
      [...path, 'fault', 'kind'],
      `a fault of kind ${fault.kind} needs several nodes: add nodes: 3 to the head`,
    );
    return;
  }
  const check = (name: string | undefined, key: string) => {
    if (name === undefined || name.startsWith('$') || nodes.includes(name)) return;
    source.fault([...path, 'fault', key], `there is no node ${name}: they are ${nodes.join(', ')}`);
  };
  if (fault.kind === 'node') check(fault.of, 'of');
  if (fault.kind !== 'bus') return;
  check(fault.from, 'from');
  check(fault.to, 'to');
}

/** Reports a choice of messages in a fault that affects no messages or requests. */
function checkStrikes(source: Written, step: Extract<Step, { verb: 'fault' }>, path: Path): void {
  const { fault } = step;
  if (fault.kind === 'forge' && (fault.from === undefined) === (fault.to === undefined))
    source.fault([...path, 'fault'], 'a forged message needs exactly one of from and to');
  for (const key of ['first', 'nth', 'times'] as const)
    if (step[key] !== undefined && !affectsMessages(fault.kind))
      source.fault([...path, key], `${key} is for faults of messages and requests; ${fault.kind} is none`);
}

function fragmentOf(source: Written, path: string, at: Path, around: Surroundings): ReadStep[] {
  const missing: ReadStep[] = [{ place: source.placeOf(at) }];
  const refuse = (message: string) => {
    source.fault([...at, 'use'], message);
    return missing;
  };
  const found = around.open(path);
  if (!found) return refuse(`there is no fragment ${path}: its path begins at the folder of the scenario file`);
  if ('refused' in found) return refuse(found.refused);
  const chain = [...around.within, found.file].join(' > ');
  if (around.within.includes(found.file)) return refuse(`${path} uses itself: ${chain}`);
  if (around.within.length > DEEPEST)
    return refuse(`fragments are nested ${DEEPEST} deep at most; ${path} is deeper: ${chain}`);
  const fragment = new Source(found.file, found.text);
  const isSound = fragment.faults.length === 0;
  if (isSound) fragment.check(fragmentHead, fragment.value, []);
  const written = isMap(fragment.value) ? fragment.value['steps'] : undefined;
  const steps = Array.isArray(written)
    ? stepsOf(fragment, written, { ...around, within: [...around.within, found.file] })
    : missing;
  const use = source.placeOf([...at, 'use']);
  // The faults of a fragment that is used twice are reported once.
  for (const fault of fragment.faults.map((one) => usedAt(one, [use])))
    if (!source.faults.some(({ message }) => message === fault.message)) source.faults.push(fault);
  return steps.map((step) => ({ ...step, used: [use, ...(step.used ?? [])] }));
}
