import { part } from '../../lib/page/part.tsx'

export {
  Faces,
  Portrait,
  PortraitOf,
  UserAvatar,
  presenceOf,
  joinedNames,
  nameOf,
  selectName,
  splitNames,
  useName,
  useNames,
} from './Portrait.tsx'
export { EVERYWHERE, loadBans, muteBefore, unban, unbansDone } from './profile/commands.ts'
export type { FilledBan } from './profile/BanDialog.tsx'

/** The dialog of a ban, for callers that carry it out themselves. */
export const BanForm = part(async () => (await import('./profile/BanDialog.tsx')).BanForm)
