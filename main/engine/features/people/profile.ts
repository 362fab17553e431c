import { updateUsersPartial } from '#shared/wire/users.ts'
import { uploadLooseImage } from '#shared/wire/uploads.ts'
import type { SmallPicture } from '#shared/bridge/schemas.ts'
import type { Core } from '../../core.ts'
import { timeIn } from '../../decode/read.ts'
import { writeUser } from '../../sync/write.ts'
import { requireConnection } from '../require-connection.ts'
import { sendSmall } from '../uploads/small.ts'

/** Changes fields of the viewer's profile; others stay. See docs/wire.md 3.11, `UpdateUsersPartial`. */
export async function changeProfile(
  core: Core,
  { name, statusText }: { readonly name?: string | undefined; readonly statusText?: string | undefined },
): Promise<void> {
  const set = { ...(name === undefined ? {} : { name }), ...(statusText ? { status_text: statusText } : {}) }
  await patchMe(core, set, statusText === '' ? ['status_text'] : [])
}

/** Without a picture the current one is removed. */
export async function setPortrait(core: Core, picture: SmallPicture | undefined): Promise<void> {
  requireConnection(core)
  if (picture === undefined) return patchMe(core, {}, ['image'])
  await sendSmall(core, 'portrait', picture, async (file) => {
    const { file: image } = await core.api.upload(uploadLooseImage, { file, signal: core.life })
    await patchMe(core, { image }, [])
  })
}

async function patchMe(core: Core, set: Record<string, unknown>, unset: readonly string[]): Promise<void> {
  requireConnection(core)
  if (Object.keys(set).length + unset.length === 0) return
  const asOf = core.asOf()
  const user = { id: core.me, set, ...(unset.length === 0 ? {} : { unset }) }
  const { users } = await core.api.send(updateUsersPartial, { body: { users: [user] }, signal: core.life })
  const me = users[core.me]
  if (me !== undefined) core.write((tx) => writeUser(tx, me, Math.max(asOf, timeIn(me, 'updated_at') ?? 0)))
}
