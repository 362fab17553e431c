import { useState, type DragEvent } from 'react'

type Over = { readonly key: string; readonly edge: 'before' | 'after' }

type AccountDrag = {
  readonly item: (key: string) => {
    readonly draggable: true
    readonly 'data-over'?: 'before' | 'after'
    readonly onDragStart: (event: DragEvent<HTMLElement>) => void
    readonly onDragEnd: () => void
    readonly onDragOver: (event: DragEvent<HTMLElement>) => void
    readonly onDrop: (event: DragEvent<HTMLElement>) => void
  }
  readonly onLeave: () => void
}

/** Drag and drop of accounts in the rail. `move` gets the index among the other accounts. */
export function useAccountDrag(keys: readonly string[], move: (key: string, to: number) => void): AccountDrag {
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<Over>()
  const end = (): void => {
    setDragged(undefined)
    setOver(undefined)
  }
  const edgeOf = (event: DragEvent<HTMLElement>): Over['edge'] => {
    const { top, height } = event.currentTarget.getBoundingClientRect()
    return event.clientY < top + height / 2 ? 'before' : 'after'
  }
  return {
    item: (key) => ({
      draggable: true,
      ...(over?.key === key ? { 'data-over': over.edge } : {}),
      onDragStart: (event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/x-parlor-account', key)
        setDragged(key)
      },
      onDragEnd: end,
      onDragOver: (event) => {
        if (dragged === undefined || dragged === key) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'move'
        const edge = edgeOf(event)
        setOver((before) => (before?.key === key && before.edge === edge ? before : { key, edge }))
      },
      onDrop: (event) => {
        if (dragged === undefined || dragged === key) return
        event.preventDefault()
        const others = keys.filter((each) => each !== dragged)
        move(dragged, others.indexOf(key) + (edgeOf(event) === 'after' ? 1 : 0))
        end()
      },
    }),
    onLeave: () => setOver(undefined),
  }
}
