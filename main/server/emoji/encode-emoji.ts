import type { WireEmoji } from '#shared/wire/emoji.ts'
import type { FileUrls } from '../uploads/file-url.ts'
import type { ShownEmoji } from './emoji-table.ts'
import { toText } from '../time.ts'

/** Source: ADR 19. */
export function encodeEmoji(row: ShownEmoji, urls: Pick<FileUrls, 'signed'>): WireEmoji {
  return {
    name: row.name,
    aliases: JSON.parse(row.aliases) as string[],
    url: urls.signed(row.upload_id, row.file_name),
    mime_type: row.mime_type,
    width: row.width,
    height: row.height,
    ...(row.created_by === null ? {} : { created_by: row.created_by }),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}
