import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import type profile from '../../../resources/locales/en/profile.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    /** A person's profile and its actions. */
    person: { readonly userId: UserId }
    mute: { readonly target: { readonly cid: Cid } | { readonly userId: UserId } }
    /** Without a channel, or without people, they are chosen in it. */
    ban: { readonly cid?: Cid; readonly userId?: UserId; readonly userIds?: readonly UserId[] }
    /** A report to the moderators. */
    report: { readonly target: { readonly messageId: MessageId } | { readonly userId: UserId } }
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    profile: typeof profile
  }
}

export const peopleFeature = defineFeature({
  localeAreas: ['profile'],
  dialogs: {
    person: part(async () => (await import('./profile/PersonDialog.tsx')).PersonDialog),
    mute: part(async () => (await import('./profile/MuteDialog.tsx')).MuteDialog),
    ban: part(async () => (await import('./profile/BanDialog.tsx')).BanDialog),
    report: part(async () => (await import('./profile/ReportDialog.tsx')).ReportDialog),
  },
})
