import { expect } from 'chai';
import fc from 'fast-check';
import { codePoints } from '../../../server/http/body/validate.js';

describe('codePoints', () => {
  it('counts code points, whatever the text', () => {
    const field = codePoints(5, 'text');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 10 }), (text) => {
        const fits = Array.from(text).length <= 5;
        expect(field.safeParse(text).success).to.equal(fits);
      }),
    );
  });
});
