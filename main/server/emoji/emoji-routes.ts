import * as v from 'valibot'
import { createEmoji, deleteEmoji, listEmoji, updateEmoji, type WireEmoji } from '#shared/wire/emoji.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { idText, list, text } from '../http/shapes.ts'
import { aliasesOf, checkedNames, emojiVersion, needChange, needCreate, pictureFor } from './emoji-rights.ts'
import { removeUpload } from '../uploads/upload-table.ts'
import { requireUser } from '../users/users.ts'
import { allEmoji, changeEmoji, deleteEmojiRow, emojiByName, insertEmoji, type ShownEmoji } from './emoji-table.ts'
import { toText } from '../time.ts'
import type { Work } from '../work.ts'
import type { FileUrls } from '../uploads/file-url.ts'

/** Longer than a name may be, so that an invalid one is refused by the rule for names. */
const names = { name: text(100), aliases: list(v.pipe(v.string(), v.maxLength(100)), 100) }
const newBody = v.looseObject({ ...names, url: text(2_048), user_id: idText() })
const changeBody = v.looseObject(names)

/** Custom emoji of the workspace, an extension of the contract. See docs/adr/0019. */
export const emojiRoutes: readonly Route[] = [
  route(listEmoji, {}, (_ask, work) => ({
    emoji: allEmoji(work.db).map((row) => encodeEmoji(row, work.fileUrls)),
    version: emojiVersion(work.db),
  })),
  route(createEmoji, { body: newBody }, ({ body, who }, work) => {
    needCreate(work.db, who)
    const owner = who.userId || (who.server ? body.user_id : undefined) || ''
    requireUser(work.db, owner)
    const name = body.name ?? ''
    const aliases = checkedNames(work.db, name, body.aliases ?? [])
    insertEmoji(work.db, {
      name,
      aliases: JSON.stringify(aliases),
      upload_id: pictureFor(work.db, body.url ?? '', owner).id,
      created_by: owner,
      created_at: work.now,
      updated_at: work.now,
    })
    return { emoji: announce(work, known(work, name), 'emoji.created') }
  }),
  route(updateEmoji, { body: changeBody }, ({ params, body, who }, work) => {
    const row = known(work, params.name)
    needChange(row, who)
    const name = body.name || row.name
    const former = name === row.name ? [] : [row.name]
    const aliases = checkedNames(work.db, name, [...(body.aliases ?? aliasesOf(row)), ...former], row.name)
    changeEmoji(work.db, row.name, { name, aliases: JSON.stringify(aliases), updated_at: work.now })
    return { emoji: announce(work, known(work, name), 'emoji.updated', row.name) }
  }),
  route(deleteEmoji, {}, ({ params, who }, work) => {
    const row = known(work, params.name)
    needChange(row, who)
    announce(work, row, 'emoji.deleted')
    deleteEmojiRow(work.db, row.name)
    removeUpload(work, row.upload_id)
    return {}
  }),
]

const known = (work: Work, name: string): ShownEmoji =>
  emojiByName(work.db, name) ?? refuse('doesNotExist', `emoji '${name.slice(0, 100)}' does not exist`)

/** Sent to all connections. */
function announce(work: Work, row: ShownEmoji, type: string, before?: string): WireEmoji {
  const emoji = encodeEmoji(row, work.fileUrls)
  const former = before === undefined || before === row.name ? {} : { former_name: before }
  work.emit({ event: { type, created_at: toText(work.now), emoji, ...former }, to: { kind: 'all' } })
  return emoji
}

/** Source: ADR 19. */
function encodeEmoji(row: ShownEmoji, urls: Pick<FileUrls, 'signed'>): WireEmoji {
  return {
    name: row.name,
    aliases: JSON.parse(row.aliases) as string[],
    url: urls.signed(row.upload_id, row.file_name),
    mime_type: row.mime_type,
    width: row.width,
    height: row.height,
    created_by: row.created_by ?? undefined,
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}
