import { loadCode } from '../../lib/page/part.tsx'
import type { SmallPicture } from './info/picture.ts'

export { changeTopic } from './commands.ts'
export { PanelHead } from './PanelHead.tsx'

/** Crops a picture to its center square and scales it down. Rejects when the file is not a picture. */
export const pictureFrom = async (file: Blob, pixels?: number): Promise<SmallPicture> =>
  (await loadCode(() => import('./info/picture.ts'))).pictureFrom(file, pixels)
