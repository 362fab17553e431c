/** How much is done, 0 to 1; never all of it before it is. */
export const shareOf = ({ done, total }: { readonly done: number; readonly total: number }): number =>
  total === 0 ? 1 : Math.floor((Math.min(done, total) / total) * 100) / 100
