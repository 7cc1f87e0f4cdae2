/** What may be written in a scenario in TypeScript, by the actors and the cases it has. Types alone, made from the schemas. */
import type * as v from 'valibot';
import type { ActionName, ActionParameters } from '../format/actions.ts';
import type { Span } from '../format/duration.ts';
import type { MessageName } from '../format/messages.ts';
import type { ActorPath, ActorValues, ServerPath, ServerValues } from '../format/paths.ts';
import type { Reference } from '../format/reference.ts';
import type { actor, scenarioHead, Sight, STEPS } from '../format/tree.ts';

type Written<V extends keyof typeof STEPS> = v.InferInput<(typeof STEPS)[V]>;

/** One person: a user, and the devices they are signed in with. */
export interface ActorHead extends Omit<v.InferInput<typeof actor>, 'devices'> {
  readonly devices?: readonly [string, ...string[]];
}
export type Actors = Readonly<Record<string, ActorHead>>;
/** The values of one case. */
export type Case = Readonly<Record<string, unknown>>;

/** Of a scenario without cases, there are no values. */
export type NoCase = Readonly<Record<string, never>>;

type HeadSchema = v.InferInput<typeof scenarioHead>;

/** The top of a scenario: all but its name and its steps. */
export interface Head<A extends Actors, C extends Case> extends Readonly<
  Omit<HeadSchema, 'scenario' | 'steps' | 'actors' | 'cases' | 'spec' | 'tags'>
> {
  readonly actors: A;
  readonly cases?: readonly C[];
  /** The requirements its trace shows. */
  readonly spec?: readonly `${string}-${number}`[];
  readonly tags?: readonly string[];
}

/** bob.phone where he has devices, else bob. */
export type Device<A extends Actors> = {
  [N in keyof A & string]: A[N] extends { readonly devices: readonly (infer D extends string)[] } ? `${N}.${D}` : N;
}[keyof A & string];
/** A device, or a person with all of theirs. */
export type Name<A extends Actors> = Device<A> | (keyof A & string);

type Comparison = `${'>=' | '<=' | '>' | '<' | '!='} ${number}`;

/** What a value is looked for as: itself, a comparison, a pattern, a reference, anything, or a map of which each part fits. */
export type Wanted<T> =
  | Reference
  | 'any'
  | (T extends readonly (infer I)[]
      ? readonly Wanted<I>[]
      : T extends object
        ? { readonly [K in keyof T]?: Wanted<T[K]> }
        : T | (T extends number ? Comparison : never) | (T extends string ? `/${string}/` : never));

/** What is to be seen of the actors and of the exchange, by its path. */
export type Expected<A extends Actors> = {
  readonly [P in ActorPath as `${Device<A>}.${P}`]?: Wanted<ActorValues[P]>;
} & {
  readonly [P in ServerPath as `server.${P}`]?: Wanted<ServerValues[P]>;
};

/** As the schema has it, but for names, which are those there are; a reference stands for any value. */
type Named<F, A extends Actors> = F extends unknown
  ? {
      readonly [K in keyof F]: K extends 'kind'
        ? F[K]
        : K extends 'actor' | 'from' | 'to'
          ? Name<A> | Reference
          : K extends 'between'
            ? readonly [Name<A>, Name<A>]
            : K extends 'cmd'
              ? MessageName | (F extends { kind: string } ? 'any' : never) | Reference
              : F[K] | Reference;
    }
  : never;

export type Seen<A extends Actors> = Named<Sight, A>;
export type Broken<A extends Actors> = Named<Written<'fault'>['fault'], A>;

/** When a step is taken, and the name of the moment it ends. */
export interface Always {
  /** Names the moment, for traces and for `since` in YAML. */
  readonly label?: string;
  /** `$case.stays`, `$case.end == connected`, or either after `not`. */
  readonly when?: Reference | `not ${Reference}`;
}

type Bounding<V extends 'expect' | 'see'> = Omit<Written<V>, V | 'at' | 'between' | 'since' | keyof Always> & {
  readonly at?: Span | Reference | readonly (Span | Reference)[];
  readonly between?: readonly [Span | Reference, Span | Reference];
  /** The end of that step; else of the step before. */
  readonly since?: Moment;
} & Always;

export type ExpectBounds = Bounding<'expect'>;
export type SeeBounds = Bounding<'see'>;
export type FaultBounds = Omit<Written<'fault'>, 'fault' | keyof Always> & Always;
export type ActOptions = Omit<Written<'do'>, 'do' | 'with' | keyof Always> & Always;

/** The moment a step ends, for `since`. */
export interface Moment {
  /** The label it has in the scenario; it gets one when it is first asked for. */
  readonly label: string;
}
/** A fault that can be mended. */
export interface BrokenThing extends Moment {
  readonly name: string;
}
/** A call that an action gave. */
export interface Captured extends Moment {
  /** The id that the exchange gives it: a reference. */
  readonly id: Reference;
}

type Given<N extends ActionName> = N extends 'dial' | 'accept' ? Captured : Moment;

/** What one device does; a step each. */
export type Acting = {
  readonly [N in ActionName]: keyof ActionParameters<N> extends never
    ? (options?: ActOptions) => Given<N>
    : object extends ActionParameters<N>
      ? (parameters?: ActionParameters<N>, options?: ActOptions) => Given<N>
      : (parameters: ActionParameters<N>, options?: ActOptions) => Given<N>;
};

/** Who acts, by name; a person with devices acts on one of them. */
export type People<A extends Actors> = {
  readonly [N in keyof A]: A[N] extends { readonly devices: readonly (infer D extends string)[] }
    ? { readonly [P in D]: Acting }
    : Acting;
};

/** The keys of every case; a case may lack what another has. */
type KeyOf<C> = C extends NoCase ? never : C extends unknown ? keyof C & string : never;

/** The steps that are no action of anybody, and what is known only when the scenario runs. */
export interface Telling<A extends Actors, C extends Case> {
  /** Values that come true: at once, or within the bounds. */
  expect(wanted: Expected<A>, bounds?: ExpectBounds): Moment;
  /** Something on the wire: a message, a request, a channel that opens or closes. */
  see(sight: Seen<A>, bounds?: SeeBounds): Moment;
  /** What must not be, from here to the end. */
  never(what: Seen<A> | { readonly expect: Expected<A> }, always?: Always): Moment;
  /** Something breaks. */
  fault(what: Broken<A>, bounds?: FaultBounds): BrokenThing;
  /** Mends what broke. */
  clear(broken: BrokenThing, always?: Always): Moment;
  /** Time passes. */
  wait(span: Span | Reference, always?: Always): Moment;
  /** The steps of a fragment in YAML, by its path from this file. */
  use(path: string): void;
  /** The values of the case under way. */
  readonly $case: { readonly [K in KeyOf<C>]: `$case.${K}` };
  readonly $timers: { readonly ring: '$timers.ring'; readonly connection: '$timers.connection' };
}
