"""Makes the models that ship: labels, word weights, trees, the network, and the model card."""
