/** Plain words of the posting check, 4 to 8 ASCII letters each. */
export const WORDS: readonly string[] = (
  'anchor amber basin beacon birch bridge canyon cedar cobalt copper coral ' +
  'cotton delta ember fabric falcon fern forest garden glacier granite harbor ' +
  'hazel heron indigo island ivory jasper juniper kettle lagoon lantern ' +
  'linen lumber maple marble meadow mirror mosaic nectar nickel orchard ' +
  'otter paddle pebble pepper pewter piano pigeon planet pocket prairie ' +
  'quartz quilt rabbit raven ribbon river saddle salmon sapphire shadow ' +
  'silver socket spruce stone summit sunset teapot thistle timber tunnel ' +
  'valley velvet violet walnut willow window winter yarrow zephyr'
).split(' ');
