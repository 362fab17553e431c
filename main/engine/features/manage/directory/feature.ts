import { exportUser } from '#shared/wire/users.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { defineFeature } from '../../../registry/feature.ts'
import { directoryCalls, peopleApi } from './calls.ts'

declare module '../../../registry/feature.ts' {
  interface Offers {
    /** Everything the server has of one person, as JSON, and how many messages that is. */
    exportedPerson(userId: UserId): Promise<{ readonly text: string; readonly messages: number }>
  }
}

export const directoryFeature = defineFeature({
  create: (core: Parameters<typeof directoryCalls>[0]) => ({
    calls: { directory: directoryCalls(core) },
    offers: {
      async exportedPerson(userId: UserId) {
        const api = await peopleApi(core)
        const { user, messages, reactions } = await api.send(exportUser, { params: { id: userId }, signal: core.life })
        const text = JSON.stringify({ kind: 'parlor-person', version: 1, user, messages, reactions }, undefined, 1)
        return { text: `${text}\n`, messages: messages.length }
      },
    },
  }),
})
