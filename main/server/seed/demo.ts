import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { countUsers } from '../users/user-table.ts'
import { insertUpload } from '../uploads/upload-table.ts'
import { transact, type Services } from '../work.ts'
import { applyPlan, type Publish } from './apply.ts'
import { demoPlan } from './demo/demo-plan.ts'
import { fileUrl } from '../uploads/file-url.ts'

/** Writes the demo team into a store that is still empty; an existing workspace is left as it is. */
export function seedDemo(services: Services, resources: string): boolean {
  if (countUsers(services.db) > 0) return false
  transact(services, (work) => applyPlan(work.db, demoPlan(), work.now, publisher(services, resources, work.now)))
  return true
}

/** Each resource is copied once, even if several messages use it. */
function publisher(services: Services, resources: string, now: number): Publish {
  const done = new Map<string, ReturnType<Publish>>()
  return ({ file, title, mimeType, userId, side = null }) => {
    const known = done.get(file)
    if (known) return known
    const id = randomBytes(16).toString('hex')
    const sizeBytes = services.blobs.import(id, join(resources, 'demo', file))
    insertUpload(services.db, {
      id,
      name: title,
      mime_type: mimeType,
      size_bytes: sizeBytes,
      user_id: userId,
      cid: null,
      width: side,
      height: side,
      created_at: now,
    })
    const result = { id, url: fileUrl(services.baseUrl(), id, title), sizeBytes }
    done.set(file, result)
    return result
  }
}
