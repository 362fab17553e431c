import { useState, type DragEvent } from 'react'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import type { SectionName } from '#shared/domain/settings.ts'
import { mayUpload } from '#shared/rules/channels/capabilities.ts'
import { canMoveTo, type Section } from '#shared/rules/channels/sidebar.ts'
import { CONVERSATION_TYPE } from '../../lib/open-target.ts'
import { filesOf, hasFiles } from '../../lib/files/dropped-files.ts'
import { COMPOSER_FILES } from '../../store/composers/files.ts'
import { useAppDispatch, useAppStore, useHost } from '../../store/hooks.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { moveConversation } from './arranging.ts'

type Over =
  | { readonly kind: 'files'; readonly cid: string }
  | { readonly kind: 'place'; readonly to: SectionName; readonly before?: string }

type DragProps = {
  readonly onDragOver: (event: DragEvent<HTMLElement>) => void
  readonly onDrop: (event: DragEvent<HTMLElement>) => void
  /** Drop feedback for styling. */
  readonly 'data-over'?: 'files' | 'before' | 'after' | 'section'
}

type RowDrag = DragProps & {
  readonly draggable: true
  readonly onDragStart: (event: DragEvent<HTMLElement>) => void
  readonly onDragEnd: () => void
}

export type Dragging = {
  readonly row: (cid: string, section: Section) => RowDrag
  readonly section: (name: SectionName) => DragProps
  /** The pointer left the list. */
  readonly onLeave: () => void
}

/** Dragging conversations within the list, and files onto a conversation. */
export function useDragging(): Dragging {
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const { capabilities } = useHost()
  const [dragged, setDragged] = useState<Cid>()
  const [over, setOver] = useState<Over>()
  const end = (): void => {
    setDragged(undefined)
    setOver(undefined)
  }
  const channelOf = (cid: string | undefined) =>
    cid === undefined ? undefined : store.getState().entities.channels[cid]
  const accepts = (to: SectionName): boolean => {
    const channel = channelOf(dragged)
    return channel !== undefined && canMoveTo(channel, to)
  }
  const acceptsFiles = (cid: string): boolean => {
    const channel = channelOf(cid)
    return capabilities.files && channel !== undefined && mayUpload(channel)
  }
  const drop = (event: DragEvent<HTMLElement>, place: { to: SectionName; before?: string }): void => {
    if (dragged === undefined || !accepts(place.to)) return
    event.preventDefault()
    event.stopPropagation()
    void dispatch(moveConversation(dragged, place))
    end()
  }
  const hold = (event: DragEvent<HTMLElement>, now: Over): void => {
    event.preventDefault()
    event.stopPropagation()
    event.dataTransfer.dropEffect = now.kind === 'files' ? 'copy' : 'move'
    setOver((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now))
  }

  return {
    row: (cid, { name, cids }) => {
      const next = cids[cids.indexOf(cid) + 1]
      const beforeOf = (event: DragEvent<HTMLElement>): string | undefined => {
        const box = event.currentTarget.getBoundingClientRect()
        return event.clientY < box.top + box.height / 2 ? cid : next
      }
      const look = lookOf(over, cid, name, next)
      return {
        draggable: true,
        'data-over': look,
        onDragStart: (event) => {
          event.dataTransfer.effectAllowed = 'move'
          event.dataTransfer.setData(CONVERSATION_TYPE, cid)
          setDragged(asCid(cid))
        },
        onDragEnd: end,
        onDragOver: (event) => {
          if (hasFiles(event.dataTransfer) && acceptsFiles(cid)) hold(event, { kind: 'files', cid })
          else if (accepts(name)) hold(event, { kind: 'place', to: name, before: beforeOf(event) })
        },
        onDrop: (event) => {
          if (hasFiles(event.dataTransfer) && acceptsFiles(cid)) {
            event.preventDefault()
            const composers = store.objects.of(COMPOSER_FILES)
            void filesOf(event.dataTransfer).then(({ files }) => composers.hand(cid, files))
            dispatch(routeOpened({ view: 'channel', cid: asCid(cid) }))
            end()
          } else {
            drop(event, { to: name, before: beforeOf(event) })
          }
        },
      }
    },
    section: (name) => ({
      'data-over':
        over?.kind === 'place' && over.to === name && over.before === undefined ? ('section' as const) : undefined,
      onDragOver: (event) => {
        if (accepts(name)) hold(event, { kind: 'place', to: name })
      },
      onDrop: (event) => drop(event, { to: name }),
    }),
    onLeave: () => setOver(undefined),
  }
}

function lookOf(
  over: Over | undefined,
  cid: string,
  name: SectionName,
  next: string | undefined,
): DragProps['data-over'] | undefined {
  if (over?.kind === 'files') return over.cid === cid ? 'files' : undefined
  if (over?.to !== name) return undefined
  if (over.before === cid) return 'before'
  return over.before === undefined && next === undefined ? 'after' : undefined
}
