import type { Settings } from '#shared/domain/settings.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { userEvents } from './events.ts'
import { isSamePrivacy, privacyOf, sendPrivacy } from './privacy.ts'

type Parts = Pick<Core, 'api' | 'cache' | 'errands' | 'isHealthy' | 'life' | 'me' | 'memory'>

export const usersFeature = defineFeature({
  events: userEvents,
  ignored: { 'user.muted': 'mutes come with notification.mutes_updated' },
  create: (core: Parts) => ({ onSettings: [{ order: 40, run: (before) => privacyChanged(core, before) }] }),
})

function privacyChanged(core: Parts, before: Settings): void {
  if (isSamePrivacy(before, core.memory.settings) || !core.isHealthy() || core.cache.reader.isGuest) return
  const work = () => sendPrivacy(core, privacyOf(before))
  core.errands.begin({ key: 'privacy', part: 'workspace', isFresh: true, work })
}
