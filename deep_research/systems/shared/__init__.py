"""Parts that more than one design uses: approval, fresh state, perspectives, reflexion."""
