import type { CallUserPayload } from '../../protocol/entities.ts';
import type { CallError } from '../../protocol/errors.ts';
import type { StatsLog } from '../../protocol/client-logs.ts';
import type { SummaryBody } from '../../protocol/http.ts';
import type { CustomItems } from '../host/custom-items.ts';
import type { Logger } from '../logging/log.ts';
import type { MediaDevices } from '../media/media-devices.ts';
import type { CallVoice } from '../media/sounds.ts';
import type { Platform } from '../platform/platform.ts';
import type { Rest } from '../rest/rest-client.ts';
import type { CommandPort } from './call-commands.ts';
import type { CustomItemsChange } from '../host/custom-item-requests.ts';
import type { PlainNotification } from './notifications.ts';
import type { DirectCallRecordOption } from './record-option.ts';

/** The results of recordings: a saved file, or a failure. */
export interface RecordingNews {
  succeeded(callId: string, recordingId: string, option: DirectCallRecordOption, fileName: string): void;
  failed(callId: string, recordingId: string, error: CallError): void;
}

/** The parts of the client that one leg of a call needs. */
export interface LegDeps {
  readonly platform: Pick<Platform, 'clock' | 'newId' | 'rtc' | 'devices' | 'frames' | 'recorder' | 'environment'>;
  /** The choice of devices. */
  readonly devices: MediaDevices;
  readonly commands: CommandPort;
  readonly rest: Rest;
  /** This call's voice among the sounds of all calls. */
  readonly voice: CallVoice;
  readonly log: Logger;
  readonly settings: {
    ringingTimeoutMs: number;
    connectionTimeoutMs: number;
    /** The statistics interval as the exchange sent it, seconds. It may be outside the bounds. */
    statsIntervalSeconds: number;
  };
  /** The results of recordings. */
  readonly recordings: RecordingNews;
  sendStatsLog(log: Omit<StatsLog, 'app_id'>): Promise<void>;
  sendSummary(callId: string, body: SummaryBody): Promise<void>;
  /** Fetches missing signals and passes them to the leg. Resolves when all available ones were passed. */
  fetchMissed(callId: string): Promise<void>;
  /** Runs when the call is established, and can be held from now on. */
  established(): void;
  /** Returns whether another call is active and not held here. */
  otherCallIsActive(): boolean;
  endOtherCalls(): void;
  /** Runs when the leg has stopped all its parts. */
  released(): void;
}

/** The notifications of a leg to its DirectCall. */
export interface LegNotifications {
  /** Reports an incoming call. */
  ringing(): void;
  /** Calls the function of the host for a notification that carries nothing but the call. */
  plain(name: PlainNotification): void;
  customItemsChanged(how: CustomItemsChange['how'], keys: string[]): void;
  holdChanged(isLocalUser: boolean, onHold: boolean): void;
}

/** The known facts of a leg when it begins. */
export interface LegFacts {
  readonly role: 'dc_caller' | 'dc_callee';
  readonly isVideoCall: boolean;
  readonly callId?: string;
  readonly caller: CallUserPayload;
  readonly callee: CallUserPayload;
  readonly customItems: CustomItems;
  /** The sequence number of the signal that created the leg. 0 for a call dialled here. */
  readonly lastSignal?: number;
  /** What the other side reported that it sends. */
  readonly remoteMedia?: { readonly audio: boolean; readonly video: boolean };
}
