import { part } from '../../lib/page/part.tsx'

/** Loaded with the first message that has any. */
export const Attachments = part(async () => (await import('./Attachments.tsx')).Attachments)
export { openFile, saveText, useDownload } from './FileCard.tsx'
export { AudioCard, VoiceCard } from './MediaCards.tsx'
export { useBlurred, useHidesMedia, useThumbHidden, UNFOLDED } from './presentation.ts'
export { DownloadButton, FileCard, FileTile } from './FileCard.tsx'
export { FileName } from './FileCard.tsx'
export { Picture } from './Picture.tsx'
export { VideoPlayer } from './MediaCards.tsx'
export {
  clockOf,
  mediaRef,
  altOf,
  iconOf,
  isPdf,
  isPicture,
  mayMove,
  ownName,
  contentKeyOf,
  labelKeyOf,
  opensElsewhere,
} from './presentation.ts'
export { lineOf, oneLine, useContentsOf, useLineOf } from './presentation.ts'
export { copyPicture, bytesOf, piecesOf, type Pieces } from './Picture.tsx'
