export { Faces, Portrait, UserAvatar, presenceOf } from './Portrait.tsx'
export { selectName, useName, useNames } from './use-names.ts'
export { bansNoted, undoBans } from './profile/commands.ts'
