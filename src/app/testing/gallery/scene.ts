import type { GenderType } from '../../../protocol/product/values.ts';
import type { FakeCallingLibrary } from '../fakes/fake-calling-library.ts';
import type { FakeDevicePermissions } from '../fakes/fake-device-permissions.ts';
import type { FakePwaHost } from '../fakes/fake-pwa-host.ts';
import type { Services } from '../../services/services.ts';
import type { Answers, SceneAnswers } from './scene-answers.ts';
import type { ComponentType } from 'react';

/** One state of one screen, or of what lies over it. */
export interface Scene {
  readonly path: string;
  /** How every request goes; `data` where it says nothing. */
  readonly answers?: Answers;
  /** What single requests are answered, by their names in the contract. */
  readonly api?: SceneAnswers;
  /** Shown in the place of the screen: parts of the kit. */
  readonly board?: () => Promise<{ default: ComponentType }>;
  readonly visitor?: boolean;
  /** Which kind of user looks at it; a man where it says nothing. */
  readonly as?: GenderType;
  readonly offline?: boolean;
  /** Nobody has called from this device yet. */
  readonly isFirstCall?: boolean;
  /** Looked at on an iPhone. */
  readonly isIos?: boolean;
  /** The shape of the other side's picture. */
  readonly remote?: 'portrait' | 'landscape' | 'white' | 'black';
  /** What happens once it is up; it is over when the promise is kept. */
  play?(stage: Stage): void | Promise<void>;
}

export interface Stage {
  readonly services: Services;
  readonly library: FakeCallingLibrary;
  readonly host: FakePwaHost;
  readonly permissions: FakeDevicePermissions;
  /** Another tab puts these into the storage. */
  otherTab(stored: Readonly<Record<string, string>>): void;
  /** An element of the page, as soon as it is there. */
  shown(selector: string): Promise<HTMLElement>;
  /** Fires when the scene is left: what it changed about the page itself is changed back. */
  readonly left: AbortSignal;
}

/** The scenes of one area, by name; a name begins with what is shown. */
export type Scenes = Readonly<Record<string, Scene>>;
