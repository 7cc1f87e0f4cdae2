/** Pictures and voice notes that users upload. */
import * as v from 'valibot';
import { endpoints } from '../endpoint.ts';
import { done } from './values.ts';

export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export const VOICE_TYPES = ['audio/webm', 'audio/ogg', 'audio/mp4'] as const;

export const PHOTO_BYTES = 8 * 1024 * 1024;
export const VOICE_BYTES = 2 * 1024 * 1024;

/**
 * The slowest connection that the server waits for: half a megabit a second. A body has this much more time than a
 * request without one.
 */
export const SLOWEST_UPLOAD_BYTES_PER_MS = 64;

/**
 * The purpose of a file, which decides who sees it. `profile`: users who may see the profile. `chat`: the two users of
 * the chat, by addresses that expire within a day. `identity`: only the owner. A profile picture is reviewed first. The
 * first approved one is the face in calls and notifications, and its plain address is public.
 */
export const mediaPurpose = v.picklist(['profile', 'chat', 'identity']);
export type MediaPurpose = v.InferOutput<typeof mediaPurpose>;

const mediaStatus = v.picklist(['pending', 'approved', 'rejected']);

/** The reason why the review rejected a picture: it is blank, or too small to recognise anything. */
export const mediaReason = v.picklist(['blank', 'too_small']);
export type MediaReason = v.InferOutput<typeof mediaReason>;

/** `width` and `height` are pixels, null for a voice note. `small` is the same picture for lists. */
export const media = v.object({
  media_id: v.string(),
  kind: v.picklist(['photo', 'voice']),
  url: v.string(),
  small: v.nullable(v.string()),
  width: v.nullable(v.number()),
  height: v.nullable(v.number()),
  status: mediaStatus,
  reason: v.nullable(mediaReason),
});
export type Media = v.InferOutput<typeof media>;

export const mediaEndpoints = endpoints({
  uploadMedia: {
    method: 'POST',
    path: '/media',
    access: 'user',
    about: 'Stores a picture of at most 8 MB, without the metadata of its file, or a voice note of at most 2 MB.',
    query: v.strictObject({ for: mediaPurpose }),
    takes: [...PHOTO_TYPES, ...VOICE_TYPES],
    answer: media,
  },
  deleteMedia: {
    method: 'DELETE',
    path: '/media/{media_id}',
    access: 'user',
    about: 'Deletes an uploaded picture or voice note of the user everywhere.',
    answer: done,
  },
});
