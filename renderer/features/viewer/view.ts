import { useEffect, useState, type RefObject } from 'react'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { Window, WindowKey } from '#shared/domain/changes.ts'
import type { Message } from '#shared/domain/message.ts'
import { isShown, type ViewerTarget } from '../../store/window/overlays.ts'
import type { AppState } from '../../store/store.ts'

/** The view of an image: `zoom` 1 shows all of it; `turn`: clockwise; `x`, `y`: CSS pixels from the center. */
export type View = {
  readonly zoom: number
  readonly turn: 0 | 90 | 180 | 270
  readonly x: number
  readonly y: number
}

export type Size = { readonly width: number; readonly height: number }

export const WHOLE: View = { zoom: 1, turn: 0, x: 0, y: 0 }
const MAX_ZOOM = 8
/** Zoom factor of one step. */
const STEP = 1.5
/** Small images are enlarged at most this much. */
const MAX_ENLARGED = 2
const UNKNOWN: Size = { width: 1_200, height: 900 }

/** Changes the zoom; at 1, the minimum, the image is centered. */
function zoomedBy(view: View, factor: number): View {
  const zoom = Math.min(MAX_ZOOM, Math.max(1, view.zoom * factor))
  const moved = zoom / view.zoom
  return zoom === 1 ? { ...view, zoom, x: 0, y: 0 } : { ...view, zoom, x: view.x * moved, y: view.y * moved }
}

export const nearer = (view: View): View => zoomedBy(view, STEP)
export const further = (view: View): View => zoomedBy(view, 1 / STEP)

/** Zooms by wheel; `delta` as browsers report it, in pixels. */
export const wheeled = (view: View, delta: number): View => zoomedBy(view, Math.exp(-delta / 500))

export const turned = (view: View): View => ({ ...WHOLE, turn: ((view.turn + 90) % 360) as View['turn'] })

/** Pans the image, up to its edges. */
export function moved(view: View, byX: number, byY: number, frame: Size, room: Size): View {
  const across = sidesOf(frame, view.turn)
  const maxOffset = (size: number, space: number): number => Math.max(0, (size * view.zoom - space) / 2)
  const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value))
  return {
    ...view,
    x: clamp(view.x + byX, maxOffset(across.width, room.width)),
    y: clamp(view.y + byY, maxOffset(across.height, room.height)),
  }
}

/** The frame of an image before rotation and zoom; known before it is loaded, so that nothing jumps. */
export function frameOf(picture: Pick<Attachment, 'width' | 'height'>, room: Size, turn: View['turn']): Size {
  const own = (picture.width ?? 0) > 0 && (picture.height ?? 0) > 0
  const size: Size = own ? { width: picture.width ?? 1, height: picture.height ?? 1 } : UNKNOWN
  const across = sidesOf(size, turn)
  const scale = Math.min(MAX_ENLARGED, room.width / across.width, room.height / across.height)
  return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) }
}

const sidesOf = ({ width, height }: Size, turn: View['turn']): Size =>
  turn % 180 === 0 ? { width, height } : { width: height, height: width }

const FIRST_ROOM: Size = { width: 960, height: 600 }

/** The size of an element, updated when it changes. */
export function useRoom(ref: RefObject<HTMLDivElement | null>): Size {
  const [room, setRoom] = useState(FIRST_ROOM)
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const measure = (): void => {
      if (element.clientWidth > 0) setRoom({ width: element.clientWidth, height: element.clientHeight })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return room
}

/** One item of the gallery. `att/` and the `id` are its media reference. */
export type Item = { readonly id: string; readonly message: Message; readonly attachment: Attachment }

export const itemId = ({ messageId, index }: Pick<ViewerTarget, 'messageId' | 'index'>): string =>
  `${messageId}.${index}`

/**
 * The list that the viewer moves through: the channel's timeline if it has the message, else an open thread. Determined
 * once, when the viewer opens, because the message may be removed meanwhile.
 */
export function listAround(state: AppState, { cid, messageId }: ViewerTarget): WindowKey | undefined {
  const windows = Object.values(state.windows.byKey)
  const isThread = ({ key }: Window): boolean => key.startsWith('thread:')
  const lists = [...windows.filter(({ key }) => key === `timeline:${cid}`), ...windows.filter(isThread)]
  return lists.find(({ ids }) => ids.includes(messageId))?.key
}

/** Messages with media, oldest first: the given ones, else those loaded in the list, else the single message. */
export function galleryMessages(
  state: AppState,
  list: WindowKey | undefined,
  { messageId, among = [] }: Pick<ViewerTarget, 'messageId' | 'among'>,
): readonly Message[] {
  const given = new Map(among.map((message) => [message.id as string, message]))
  const ids =
    given.size > 0 ? [...given.keys()] : list === undefined ? [messageId] : (state.windows.byKey[list]?.ids ?? [])
  return ids.flatMap((id) => {
    const message = state.entities.messages[id] ?? given.get(id)
    return message !== undefined && message.deletedAt === undefined && message.attachments.some(isShown) ? message : []
  })
}

export const itemsOf = (messages: readonly Message[]): readonly Item[] =>
  messages.flatMap((message) =>
    message.attachments
      .filter(isShown)
      .map((attachment) => ({ id: itemId({ messageId: message.id, index: attachment.index }), message, attachment })),
  )
