export { Faces } from './Faces.tsx'
export { UserAvatar } from './UserAvatar.tsx'
export { presenceOf } from './presence.ts'
