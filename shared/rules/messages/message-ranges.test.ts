import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparePlaced, type Placed } from '#shared/domain/message.ts'
import {
  contains,
  extendLatest,
  forgotten,
  gapsBefore,
  latestRange,
  openEnded,
  mergePage,
  mergeRange,
  overlaps,
  pageRange,
  truncated,
  type PageQuery,
  type Range,
} from './message-ranges.ts'

/** Few distinct times and ids, so that ties and adjacent edges are common. */
const at = (n: number): Placed => ({ createdAt: Math.floor(n / 3), id: `m${String(n).padStart(3, '0')}` })
const aRange = (first: number, last: number, flags: Partial<Range> = {}): Range => ({
  first: at(first),
  last: at(last),
  hasPrev: true,
  hasNext: true,
  ...flags,
})
const anyRange = fc
  .tuple(fc.nat(60), fc.nat(12), fc.boolean(), fc.boolean())
  .map(([first, length, hasPrev, hasNext]) => aRange(first, first + length, { hasPrev, hasNext }))
const merged = (ranges: readonly Range[]) => ranges.reduce<readonly Range[]>(mergeRange, [])
const covered = (ranges: readonly Range[]) =>
  Array.from({ length: 80 }, (_, n) => ranges.some((range) => contains(range, at(n))))

describe('merging ranges', () => {
  test('leaves them disjoint and ascending', () => {
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 12 }), (ranges) => {
        const result = merged(ranges)
        const steps = result.slice(1).map((next, n) => comparePlaced(result[n]?.last ?? next.first, next.first))
        expect(steps.filter((step) => step >= 0)).toEqual([])
      }),
    )
  })

  test('covers exactly the keys that one of them covers, so that a gap is never shown as continuous', () => {
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 12 }), (ranges) => {
        expect(covered(merged(ranges))).toEqual(covered(ranges))
      }),
    )
  })

  test('gives the same result in any order', () => {
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (ranges, random) => {
        const weights = ranges.map(() => random.next().value ?? 0)
        const shuffled = ranges.map((_, index) => index).toSorted((a, b) => (weights[a] ?? 0) - (weights[b] ?? 0))
        const reordered = shuffled.flatMap((index) => ranges[index] ?? [])
        expect(merged(reordered)).toEqual(merged(ranges))
      }),
    )
  })

  test('takes each flag from the range that reaches further', () => {
    const older = aRange(0, 5, { hasPrev: false, hasNext: true })
    const newer = aRange(4, 9, { hasPrev: true, hasNext: false })
    expect(merged([older, newer])).toEqual([aRange(0, 9, { hasPrev: false, hasNext: false })])
  })

  test('marks possible messages between two ranges', () => {
    const result = merged([
      aRange(0, 2, { hasPrev: false, hasNext: false }),
      aRange(6, 8, { hasPrev: false, hasNext: false }),
    ])
    expect(result.map(({ hasPrev, hasNext }) => [hasPrev, hasNext])).toEqual([
      [false, true],
      [true, false],
    ])
  })
})

describe('the range of a loaded page', () => {
  const page = (query: PageQuery, first: number, count: number, requested: number) => {
    const range = pageRange(
      query,
      Array.from({ length: count }, (_, index) => at(first + index)),
      requested,
    )
    return range && [range.hasPrev, range.hasNext]
  }

  test.each<[string, PageQuery, number, number, number, unknown]>([
    ['a full newest page may have older ones', { kind: 'newest' }, 10, 5, 5, [true, false]],
    ['a short newest page is everything', { kind: 'newest' }, 10, 4, 5, [false, false]],
    ['an empty newest page is everything, too', { kind: 'newest' }, 10, 0, 5, [false, false]],
    ['a newest page with a limit of 0 proves nothing', { kind: 'newest' }, 10, 0, 0, undefined],
    ['a full older page may have older ones', { kind: 'older', cursor: at(20) }, 10, 5, 5, [true, true]],
    ['an empty older page ends the list', { kind: 'older', cursor: at(20) }, 10, 0, 5, [false, true]],
    ['a short newer page reaches the newest', { kind: 'newer', cursor: at(5) }, 10, 4, 5, [true, false]],
    ['a short page around shows both ends', { kind: 'around', target: at(12) }, 10, 4, 5, [false, false]],
    ['a full page around with the target in the middle', { kind: 'around', target: at(12) }, 10, 5, 5, [true, true]],
    ['a full page around, target in the older half', { kind: 'around', target: at(11) }, 10, 5, 5, [false, true]],
    ['a full page around that is older as a whole', { kind: 'around', target: at(30) }, 10, 2, 2, [true, false]],
    ['a full page around that is newer as a whole', { kind: 'around', target: at(1) }, 10, 2, 2, [false, true]],
    ['a full page around, target in the newer half', { kind: 'around', target: at(13) }, 10, 5, 5, [true, false]],
  ])('%s', (_name, query, first, count, requested, flags) => {
    expect(page(query, first, count, requested)).toEqual(flags)
  })

  test('an older page continues from its cursor without a gap', () => {
    const held = mergePage([], { kind: 'newest' }, [at(20), at(21)], 2)
    const grown = mergePage(held, { kind: 'older', cursor: at(20) }, [at(14), at(15)], 2)
    expect(grown).toEqual([{ first: at(14), last: at(21), hasPrev: true, hasNext: false }])
  })

  test('paging through any list from the newest message returns each message once, ties included', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.integer({ min: 1, max: 7 }), (length, limit) => {
        const all = Array.from({ length }, (_, n) => at(n))
        const older = (cursor?: Placed) => all.filter((one) => !cursor || comparePlaced(one, cursor) < 0).slice(-limit)
        let ranges = mergePage([], { kind: 'newest' }, older(), limit)
        const seen = [...older()]
        for (let first = ranges[0]?.first; first && ranges[0]?.hasPrev; first = ranges[0]?.first) {
          const page = older(first)
          seen.unshift(...page)
          ranges = mergePage(ranges, { kind: 'older', cursor: first }, page, limit)
        }
        expect(seen).toEqual(all)
        expect(ranges.length).toBe(1)
      }),
    )
  })
})

describe('live messages', () => {
  test('continue the newest range', () => {
    const ranges = extendLatest([aRange(0, 5, { hasNext: false })], at(9))
    expect(ranges).toEqual([aRange(0, 9, { hasNext: false })])
  })

  test('are after a gap after the connection was lost', () => {
    const lost = openEnded([aRange(0, 5, { hasPrev: false, hasNext: false })])
    const ranges = extendLatest(lost, at(9))
    expect(ranges.map(({ first, last }) => [first.id, last.id])).toEqual([
      ['m000', 'm005'],
      ['m009', 'm009'],
    ])
    expect(latestRange(ranges)).toEqual(aRange(9, 9, { hasNext: false }))
    expect(gapsBefore([at(4), at(5), at(9)], ranges)).toEqual(['m009'])
  })

  test('close the gap when the newest page overlaps the cached range', () => {
    const lost = openEnded([aRange(0, 5, { hasPrev: false, hasNext: false })])
    const ranges = mergePage(lost, { kind: 'newest' }, [at(4), at(5), at(6), at(7)], 4)
    expect(ranges).toEqual([{ first: at(0), last: at(7), hasPrev: false, hasNext: false }])
  })

  test('a newest page that ends before the cached range still ends the list', () => {
    const lost = openEnded([aRange(0, 5, { hasNext: false })])
    expect(latestRange(mergePage(lost, { kind: 'newest' }, [at(3), at(4)], 2))).toEqual(
      aRange(0, 5, { hasNext: false }),
    )
  })

  test('an earlier one that arrives late makes no gap in a list cached from its beginning', () => {
    const ranges = extendLatest([aRange(4, 5, { hasPrev: false, hasNext: false })], at(1))
    expect(gapsBefore([at(1), at(4)], ranges)).toEqual([])
  })

  test.each<[string, readonly Range[]]>([
    ['that was empty', mergePage([], { kind: 'newest' }, [], 5)],
    ['that was emptied', truncated([aRange(0, 5, { hasPrev: false, hasNext: false })], 9)],
    ['from which all was evicted', forgotten([aRange(0, 5, { hasPrev: false, hasNext: false })], 9)],
  ])('the first two of a list %s have no gap between them, in either order', (_name, ranges) => {
    const both = [at(35), at(34)].reduce(extendLatest, ranges)
    expect(gapsBefore([at(34), at(35)], both)).toEqual([])
  })

  test.each([
    ['not empty', 0],
    ['empty', undefined],
  ])('extending a list that was %s gives the same range in any order', (_name, first) => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 10 }), (keys) => {
        const start =
          first === undefined
            ? mergePage([], { kind: 'newest' }, [], 5)
            : [aRange(first, first, { hasPrev: false, hasNext: false })]
        const arrive = (order: readonly number[]) =>
          order.reduce<readonly Range[]>((ranges, key) => extendLatest(ranges, at(key)), start)
        expect(arrive(keys)).toEqual(arrive(keys.toReversed()))
      }),
    )
  })
})

describe('truncation', () => {
  test('leaves messages from the time on as the beginning of the list', () => {
    const ranges = truncated([aRange(0, 4), aRange(9, 14), aRange(20, 24, { hasNext: false })], 4)
    expect(ranges.map(({ first, last, hasPrev }) => [first.createdAt, last.id, hasPrev])).toEqual([
      [4, 'm014', false],
      [6, 'm024', true],
    ])
  })

  test('overlap is symmetric', () => {
    fc.assert(
      fc.property(anyRange, anyRange, (a, b) => {
        expect(overlaps(a, b)).toBe(overlaps(b, a))
      }),
    )
  })
})
