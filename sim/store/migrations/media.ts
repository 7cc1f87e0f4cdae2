import type { Kysely, Migration } from 'kysely';
import { bytes, text, time } from './types.ts';

export const mediaMigrations: Readonly<Record<string, Migration>> = {
  '0005-media': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_media')
        .addColumn('media_id', text, (column) => column.primaryKey())
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('purpose', text, (column) => column.notNull())
        .addColumn('media_type', text, (column) => column.notNull())
        .addColumn('width', 'integer')
        .addColumn('height', 'integer')
        .addColumn('verdict', text, (column) => column.notNull())
        .addColumn('reviewed_at', time, (column) => column.notNull())
        .addColumn('created_at', time, (column) => column.notNull())
        .execute();
      await db.schema.createIndex('ringback_media_of').on('ringback_media').column('u_id').execute();
      await db.schema
        .createTable('ringback_media_contents')
        .addColumn('media_id', text, (column) => column.notNull())
        .addColumn('size', text, (column) => column.notNull())
        .addColumn('content', bytes, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_media_contents_pk', ['media_id', 'size'])
        .execute();
    },
  },
};
