import { mediaEndpoints, PHOTO_BYTES } from '../../../src/protocol/product/media.ts';

/** Which files a path takes. */
export interface UploadRule {
  readonly mediaTypes: readonly string[];
  readonly mostBytes: number;
}

const { method: METHOD, path: PATH, takes } = mediaEndpoints.uploadMedia;

/** The files that this one request takes, and no other does; undefined where JSON alone is taken. */
export function uploadRule(method: string, path: string): UploadRule | undefined {
  return method === METHOD && path === PATH ? { mediaTypes: takes, mostBytes: PHOTO_BYTES } : undefined;
}
