import type { Clock } from '../../../src/common/clock.ts';
import { type Selectable, sql, type Expression } from 'kysely';
import * as v from 'valibot';
import type { SentFile } from '../../../src/protocol/endpoint.ts';
import {
  type Media,
  mediaReason,
  PHOTO_BYTES,
  PHOTO_TYPES,
  VOICE_BYTES,
  type MediaPurpose,
} from '../../../src/protocol/product/media.ts';
import { mostKept } from '../../budgets/table.ts';
import type { Ids } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { holdAccount } from '../accounts/hold-account.ts';
import { Refusal } from '../refusal.ts';
import { makePicture, PICTURE_TYPE } from './pictures.ts';
import type { AddressQuery, SignedAddresses } from './signed-addresses.ts';

/** The duration of a simulated review: long enough to see, short enough to wait for. Milliseconds. */
const REVIEW_MS = 20_000;
const MOST_OF_ONE = mostKept('uploadMedia', 'files');
/** The time that a face may be cached. The user may choose another face, and then the file is private. Seconds. */
const FACE_SECONDS = 3_600;

type MediaRow = Selectable<Tables['ringback_media']>;
export type MediaSize = 'full' | 'small';

export interface MediaContent {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** The seconds for which the client may cache the file. */
  readonly keptFor: number;
}

/** A request for a file: the user and the query of the address. */
export interface MediaAsked {
  readonly mediaId: string;
  readonly size: MediaSize;
  readonly query: AddressQuery;
  /** Null for a request without a token, as of a picture on a page. */
  readonly uId: string | null;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Pick<Clock, 'wallTime'>;
  readonly ids: Pick<Ids, 'token'>;
  /** The address of the server, without a slash at the end. */
  readonly apiUrl: string;
  readonly addresses: SignedAddresses;
}

/** Pictures and voice notes that users have uploaded. */
export class MediaLibrary {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores a file. A picture is encoded again. A voice note is stored as it is.
   *
   * @throws Refusal `wrong_file` when the type is wrong or the file is unreadable; `too_large`; `too_many` when the
   * user has the most files; `busy`; `signed_out` when the account was closed meanwhile.
   */
  async add(uId: string, purpose: MediaPurpose, { mediaType, bytes }: SentFile): Promise<Media> {
    const isPhoto = PHOTO_TYPES.some((type) => type === mediaType);
    if (fileKind(bytes) !== mediaType) throw new Refusal('wrong_file', `The content of the file is not ${mediaType}.`);
    const most = isPhoto ? PHOTO_BYTES : VOICE_BYTES;
    if (bytes.length > most) throw new Refusal('too_large', `The file may have at most ${most} bytes.`);
    const { clock, database, ids } = this.#dependencies;
    await refuseFull(database.db, uId);
    const picture = isPhoto ? await makePicture(bytes) : null;
    const now = clock.wallTime();
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
      // While the picture was encoded, other files may have been added, or the account may have been closed.
      await holdAccount(database, transaction, uId);
      await refuseFull(transaction, uId);
      await transaction.insertInto('ringback_media').values(row).execute();
      await transaction.insertInto('ringback_media_contents').values(contents).execute();
    });
    return this.shown(row);
  }

  /** Finds the user's own files with these ids, in this order. Skips unknown ids and files of others. */
  async ofOwner(uId: string, ids: readonly string[]): Promise<Media[]> {
    if (ids.length === 0) return [];
    const rows = await this.#dependencies.database.db
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

  /** Returns the signed address of a file. It is valid for at least half a day and at most a day. */
  url(mediaId: string, size: MediaSize = 'full'): string {
    return `${this.plainUrl(mediaId, size)}?${this.#dependencies.addresses.queryFor(mediaId)}`;
  }

  /**
   * Returns the address of a file without a signature. It is stored, and it serves a face as long as the file is one.
   */
  plainUrl(mediaId: string, size: MediaSize = 'full'): string {
    return `${this.#dependencies.apiUrl}/media/${mediaId}${size === 'small' ? '/small' : ''}`;
  }

  /** Returns a currently valid address for a stored plain address. */
  renewed(plainUrl: string): string {
    const mediaId = /\/media\/([\w-]+)$/.exec(plainUrl)?.[1];
    return mediaId === undefined ? plainUrl : this.url(mediaId);
  }

  /**
   * Reads a file. A valid signature gives access, also the owner's token to a picture of an identity. A face is public:
   * call cards and notifications show it on devices that cannot send a token.
   *
   * @throws Refusal `not_found` when there is no such file, or the client may not read it.
   */
  async content({ mediaId, size, query, uId }: MediaAsked): Promise<MediaContent> {
    const row = await this.#dependencies.database.db
      .selectFrom('ringback_media as media')
      .innerJoin('ringback_media_contents as contents', 'contents.media_id', 'media.media_id')
      .where('media.media_id', '=', mediaId)
      .where('contents.size', '=', size)
      .select(['media.u_id', 'media.purpose', 'media.media_type', 'contents.content'])
      .executeTakeFirst();
    const keptFor = row ? await this.#openFor({ mediaId, query, uId }, row) : null;
    if (!row || keptFor === null) throw new Refusal('not_found', 'No file that this client may read has this id.');
    // One of the drivers returns bytes without a typed array.
    return { mediaType: row.media_type, bytes: new Uint8Array(row.content), keptFor };
  }

  /** Returns how many seconds the client may cache the file. Null when the client may not read it. */
  async #openFor(
    { mediaId, query, uId }: Omit<MediaAsked, 'size'>,
    { purpose, u_id: owner }: Pick<MediaRow, 'purpose' | 'u_id'>,
  ): Promise<number | null> {
    if (purpose === 'identity') return owner === uId ? 0 : null;
    const goodFor = this.#dependencies.addresses.goodFor(mediaId, query);
    if (goodFor > 0) return goodFor;
    return purpose === 'profile' && (await this.#isFace(mediaId, owner)) ? FACE_SECONDS : null;
  }

  /** Returns whether the file is the first approved picture of its owner. */
  async #isFace(mediaId: string, owner: string): Promise<boolean> {
    const { database, clock } = this.#dependencies;
    const account = await database.db
      .selectFrom('ringback_accounts as account')
      .where('account.u_id', '=', owner)
      .where('account.suspended_at', 'is', null)
      .select(faceOf(sql.ref('account.u_id'), clock.wallTime()).as('face'))
      .executeTakeFirst();
    return account?.face === mediaId;
  }

  /** Deletes a file of the user. @throws Refusal `not_found`, also for a file of another user. */
  async remove(uId: string, mediaId: string): Promise<void> {
    await this.#dependencies.database.transact(async (transaction) => {
      const gone = await transaction
        .deleteFrom('ringback_media')
        .where('media_id', '=', mediaId)
        .where('u_id', '=', uId)
        .returning('media_id')
        .execute();
      if (gone.length === 0) throw new Refusal('not_found', 'No file of this user has this id.');
      await transaction.deleteFrom('ringback_media_contents').where('media_id', '=', mediaId).execute();
    });
  }

  /** Returns a file as its owner sees it. */
  shown(row: MediaRow): Media {
    const isReviewed = row.reviewed_at <= this.#dependencies.clock.wallTime();
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

/** @throws Refusal `too_many` when the user has the most files. */
async function refuseFull(db: Database['db'], uId: string): Promise<void> {
  const { count } = await db
    .selectFrom('ringback_media')
    .where('u_id', '=', uId)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_OF_ONE) throw new Refusal('too_many', `A user may have at most ${MOST_OF_ONE} files.`);
}

/** Selects the id of a user's face, the first of their pictures that is approved by now. Null without one. */
export const faceOf = (uId: Expression<string>, now: number) => sql<string | null>`(
  select media.media_id from ringback_profile_photos as photo
  join ringback_media as media on media.media_id = photo.media_id
  where photo.u_id = ${uId} and media.verdict = 'approved' and media.reviewed_at <= ${now}
  order by photo.place limit 1
)`;

/** Detects the media type of a file by its first bytes. Undefined for a type that is not accepted. */
export function fileKind(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return SIGNATURES.find(({ sign }) => sign.test(head))?.mediaType;
}

const SIGNATURES: readonly { readonly mediaType: string; readonly sign: RegExp }[] = [
  { mediaType: 'image/jpeg', sign: /^\xff\xd8\xff/ },
  { mediaType: 'image/png', sign: /^\x89PNG\r\n\x1a\n/ },
  { mediaType: 'image/webp', sign: /^RIFF.{4}WEBP/s },
  { mediaType: 'audio/webm', sign: /^\x1a\x45\xdf\xa3/ },
  { mediaType: 'audio/ogg', sign: /^OggS/ },
  { mediaType: 'audio/mp4', sign: /^.{4}ftyp/s },
];
