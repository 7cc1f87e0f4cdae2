import { type Selectable, sql } from 'kysely';
import * as v from 'valibot';
import type { SentFile } from '../../../src/protocol/product/endpoint.ts';
import {
  type Media,
  mediaReason,
  PHOTO_BYTES,
  PHOTO_TYPES,
  VOICE_BYTES,
  type MediaPurpose,
} from '../../../src/protocol/product/media.ts';
import { mostKept } from '../../budgets/table.ts';
import type { Clock, Ids } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { holdAccount } from '../accounts/hold-account.ts';
import { Refusal } from '../refusal.ts';
import { faceOf } from './face-of.ts';
import { fileKind } from './file-kind.ts';
import { makePicture, PICTURE_TYPE } from './pictures.ts';
import type { AddressQuery, SignedAddresses } from './signed-addresses.ts';

/** A simulated review takes this long: long enough to be seen, short enough to be waited for. */
const REVIEW_MS = 20_000;
const MOST_OF_ONE = mostKept('uploadMedia', 'files');
/** Somebody may put another face first, and then this one is theirs alone. */
const FACE_SECONDS = 3_600;

type MediaRow = Selectable<Tables['ringback_media']>;
export type MediaSize = 'full' | 'small';

export interface MediaContent {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** So long may who has got it keep it. Seconds. */
  readonly keptFor: number;
}

/** Who asks for a file, and with what address. */
export interface MediaAsked {
  readonly mediaId: string;
  readonly size: MediaSize;
  readonly query: AddressQuery;
  /** Null for somebody who has not said who they are, as a picture on a page does not. */
  readonly uId: string | null;
}

interface Outside {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'token'>;
  /** Where the server is reached, without a slash at the end. */
  readonly apiUrl: string;
  readonly addresses: SignedAddresses;
}

/** Pictures and voice notes that users have uploaded. */
export class MediaLibrary {
  readonly #outside: Outside;

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /**
   * Keeps a file. A picture is made anew; a voice note is kept as it came.
   *
   * @throws Refusal `wrong_file` it is not what it says, or cannot be read; `too_large`; `too_many` the user has as many as one may;
   * `busy`; `signed_out` the account was closed meanwhile.
   */
  async add(uId: string, purpose: MediaPurpose, { mediaType, bytes }: SentFile): Promise<Media> {
    const isPhoto = PHOTO_TYPES.some((type) => type === mediaType);
    if (fileKind(bytes) !== mediaType) throw new Refusal('wrong_file', `The file is not ${mediaType}.`);
    const most = isPhoto ? PHOTO_BYTES : VOICE_BYTES;
    if (bytes.length > most) throw new Refusal('too_large', `The file may have ${most} bytes.`);
    const { clock, database, ids } = this.#outside;
    await refuseFull(database.db, uId);
    const picture = isPhoto ? await makePicture(bytes) : null;
    const now = clock.now();
    const row: MediaRow = {
      media_id: ids.token(),
      u_id: uId,
      kind: picture ? 'photo' : 'voice',
      purpose,
      media_type: picture ? PICTURE_TYPE : mediaType,
      width: picture?.width ?? null,
      height: picture?.height ?? null,
      verdict: purpose === 'profile' ? (picture?.fault ?? 'approved') : 'approved',
      reviewed_at: purpose === 'profile' ? now + REVIEW_MS : now,
      created_at: now,
    };
    const contents = [
      { media_id: row.media_id, size: 'full', content: picture?.full ?? bytes },
      ...(picture ? [{ media_id: row.media_id, size: 'small', content: picture.small }] : []),
    ];
    await database.transact(async (transaction) => {
      // Others may have come, and the account may have been closed, while the picture was made.
      await holdAccount(database, transaction, uId);
      await refuseFull(transaction, uId);
      await transaction.insertInto('ringback_media').values(row).execute();
      await transaction.insertInto('ringback_media_contents').values(contents).execute();
    });
    return this.shown(row);
  }

  /** What is known of somebody's own files of these ids, in this order; ids of others' files or of none are left out. */
  async ofOwner(uId: string, ids: readonly string[]): Promise<Media[]> {
    if (ids.length === 0) return [];
    const rows = await this.#outside.database.db
      .selectFrom('ringback_media')
      .where('media_id', 'in', ids)
      .where('u_id', '=', uId)
      .selectAll()
      .execute();
    const byId = new Map(rows.map((row) => [row.media_id, row]));
    return ids.flatMap((id) => {
      const row = byId.get(id);
      return row ? [this.shown(row)] : [];
    });
  }

  /** The address of a file for somebody who may see it: good for half a day at least, and a day at most. */
  url(mediaId: string, size: MediaSize = 'full'): string {
    return `${this.plainUrl(mediaId, size)}?${this.#outside.addresses.queryFor(mediaId)}`;
  }

  /** The address of a file, by which it is kept, and by which somebody's face is found as long as it is that. */
  plainUrl(mediaId: string, size: MediaSize = 'full'): string {
    return `${this.#outside.apiUrl}/media/${mediaId}${size === 'small' ? '/small' : ''}`;
  }

  /** The address that is good now, of a file that was kept by its plain one. */
  renewed(plainUrl: string): string {
    const mediaId = /\/media\/([\w-]+)$/.exec(plainUrl)?.[1];
    return mediaId === undefined ? plainUrl : this.url(mediaId);
  }

  /**
   * A file, for who has an address that is good, for the owner of what shows an identity, and for everybody the face of
   * somebody: cards of calls and notifications show it, on devices that have no other way to ask.
   *
   * @throws Refusal `not_found` where there is none, or it is not for them: the same for both.
   */
  async content({ mediaId, size, query, uId }: MediaAsked): Promise<MediaContent> {
    const row = await this.#outside.database.db
      .selectFrom('ringback_media as media')
      .innerJoin('ringback_media_contents as contents', 'contents.media_id', 'media.media_id')
      .where('media.media_id', '=', mediaId)
      .where('contents.size', '=', size)
      .select(['media.u_id', 'media.purpose', 'media.media_type', 'contents.content'])
      .executeTakeFirst();
    const keptFor = row ? await this.#openFor({ mediaId, query, uId }, row) : null;
    if (!row || keptFor === null) throw new Refusal('not_found', 'There is no such file.');
    // One of the drivers gives bytes without a view on them.
    return { mediaType: row.media_type, bytes: new Uint8Array(row.content), keptFor };
  }

  /** How many seconds who asks may keep the file; null where it is not for them. */
  async #openFor(
    { mediaId, query, uId }: Omit<MediaAsked, 'size'>,
    { purpose, u_id: owner }: Pick<MediaRow, 'purpose' | 'u_id'>,
  ): Promise<number | null> {
    if (purpose === 'identity') return owner === uId ? 0 : null;
    const goodFor = this.#outside.addresses.goodFor(mediaId, query);
    if (goodFor > 0) return goodFor;
    return purpose === 'profile' && (await this.#isFace(mediaId, owner)) ? FACE_SECONDS : null;
  }

  /** Whether it is the first of somebody's pictures that were approved. */
  async #isFace(mediaId: string, owner: string): Promise<boolean> {
    const { database, clock } = this.#outside;
    const account = await database.db
      .selectFrom('ringback_accounts as account')
      .where('account.u_id', '=', owner)
      .where('account.suspended_at', 'is', null)
      .select(faceOf(sql.ref('account.u_id'), clock.now()).as('face'))
      .executeTakeFirst();
    return account?.face === mediaId;
  }

  /** @throws Refusal `not_found` for a file of somebody else, as for none. */
  async remove(uId: string, mediaId: string): Promise<void> {
    await this.#outside.database.transact(async (transaction) => {
      const gone = await transaction
        .deleteFrom('ringback_media')
        .where('media_id', '=', mediaId)
        .where('u_id', '=', uId)
        .returning('media_id')
        .execute();
      if (gone.length === 0) throw new Refusal('not_found', 'There is no such file.');
      await transaction.deleteFrom('ringback_media_contents').where('media_id', '=', mediaId).execute();
    });
  }

  /** A file as its owner sees it. */
  shown(row: MediaRow): Media {
    const isReviewed = row.reviewed_at <= this.#outside.clock.now();
    const reason = v.safeParse(mediaReason, row.verdict);
    const url = (size: MediaSize) =>
      row.purpose === 'identity' ? this.plainUrl(row.media_id, size) : this.url(row.media_id, size);
    return {
      media_id: row.media_id,
      kind: row.kind === 'photo' ? 'photo' : 'voice',
      url: url('full'),
      small: row.kind === 'photo' ? url('small') : null,
      width: row.width,
      height: row.height,
      status: !isReviewed ? 'pending' : reason.success ? 'rejected' : 'approved',
      reason: isReviewed && reason.success ? reason.output : null,
    };
  }
}

/** @throws Refusal too_many: the user has as many files as one may. */
async function refuseFull(db: Database['db'], uId: string): Promise<void> {
  const { count } = await db
    .selectFrom('ringback_media')
    .where('u_id', '=', uId)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_OF_ONE) throw new Refusal('too_many', `One may keep ${MOST_OF_ONE} files.`);
}
